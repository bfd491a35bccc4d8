"""The command ``ten18`` without an installed script: ``python -m tentimes18``."""

from tentimes18.cli import main

if __name__ == "__main__":
    main()

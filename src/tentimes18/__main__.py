"""The command ``ten18``, also without an installed script: ``python -m tentimes18``."""

import signal
import sys


def main() -> None:
    """Run the command; Ctrl-C ends it without a traceback even while its modules are imported."""
    try:
        from tentimes18.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()

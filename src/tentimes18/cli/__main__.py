"""`python -m tentimes18.cli` is the command `ten18`."""

from tentimes18.cli import main

main()

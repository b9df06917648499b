"""`python -m slidelab` is the command line."""

from slidelab.cli import main

main()

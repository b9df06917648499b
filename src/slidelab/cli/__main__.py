"""`python -m slidelab.cli`."""

from slidelab.cli import main

main()

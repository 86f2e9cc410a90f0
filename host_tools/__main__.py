"""`python -m host_tools` is the command `roboto`, installed or not."""

from host_tools.cli import main

main()

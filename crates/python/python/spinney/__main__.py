"""The command `spinney`, and `python -m spinney`."""

import sys


def main() -> int:
    """Does what the arguments of the program ask for."""
    from ._spinney import command_line

    return command_line(["spinney", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

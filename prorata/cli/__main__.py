"""The entry point of `python -m prorata.cli`, which is the command `prorata`."""

from prorata.cli import main

if __name__ == "__main__":
    main()

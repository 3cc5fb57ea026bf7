"""`python -m prorata.cli` is the command `prorata`."""

from prorata.cli import main

if __name__ == "__main__":
    main()

"""The API of the contract, one file per noun."""

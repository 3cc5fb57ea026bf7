"""What utilities are called, and what else stands on bills."""

UTILITY_NAMES = {
    "ELECTRICITY": "Electricity",
    "WATER": "Water",
    "GAS": "Gas",
    "INTERNET": "Internet",
    "SEWER": "Sewer",
    "GARBAGE": "Garbage",
    "OTHER": "Other",
}
LINE_NAMES = UTILITY_NAMES | {
    "PREVIOUS_BALANCE": "Previous balance",
    "LATE_FEE": "Late fee",
    "DEPOSIT": "Deposit",
    "OWNER": "Owner’s part",
}
"""Those of the lines of a bill: utilities, and reasons why something is not billed."""

"""What the built-in split methods are called, and what each does."""

BUILT_IN = {
    "EQUAL": ("Equal", "Every unit pays the same."),
    "SQFT": ("By floor area", "Each unit pays by its part of the floor area of all."),
    "OCCUPANTS": ("By occupants", "Each unit pays by the days its tenants were there in the month."),
    "BEDROOMS": ("By bedrooms", "Each unit pays by its bedrooms; a studio has none."),
    "PERCENTAGE": ("By percentage", "Each unit pays its percentage; what is missing to 100 is the owner's."),
    "CUSTOM": ("By custom weights", "Each unit pays by its weight; only the proportions count."),
}
"""The six methods, each with its name and what it does."""

"""How often somebody may try what lets them in, or sends mail to an address that need not be theirs."""

OF_AN_ADDRESS = 30
"""Tries from one network address in a quarter of an hour, of each thing that needs no sign-in,"""
OF_A_MEMBER = 10
"""and to be one member, from wherever: by password, or by a code."""
MINUTES = 15
OPENINGS_OF_AN_ADDRESS, OPENINGS, MINUTES_OF_OPENINGS = 5, 100, 60
"""Accounts that are opened in an hour: from one network address, and in all. Each mails somebody."""

"""Limits of accounts, bulk changes, lists and generated files.

Limits that inner rings need are defined there; `prorata.domain.limits` explains what a limit is.
"""

from datetime import timedelta

# --- Properties, units and rules --------------------------------------------------------------------------------------

MOST_FIRST_MONTHS_AT_ONCE = 100
"""So many properties get their first month to bill at once."""
MOST_UNITS = 5_000
"""Units of one property, deactivated ones included."""
MOST_MONTHS_COMPARED = 400
"""Months of properties that are compared at once with what was charged in them before."""
MOST_VACANT_NAMED = 10
"""Vacant units that are named beside the tenants a search finds."""
MOST_BLENDS = 200
"""Ways to divide of an account's own, which are read all at once."""
MOST_RULE_VERSIONS = 120
"""Versions of a share rule: all of them are read whenever months are computed."""
LARGEST_PERCENT = 100
"""Percent of anything."""
MOST_OCCUPANTS = 1_000
"""People that a rule may assume in a vacant unit."""
MOST_PROPERTIES_TO_CHOOSE_FROM = 100
"""Properties that a list to choose from holds; where there are more, one is searched for."""

# --- Members and providers --------------------------------------------------------------------------------------------

MOST_MEMBERS = 200
"""Members and invitations of an account."""
LONGEST_PROVIDER_KEY = 255
"""Characters of a payment provider's key."""
MOST_OPEN_LINKS_NAMED = 50
"""Links that are still open, and named."""
MOST_FORMER_PROVIDER_SECRETS = 10
"""Secrets that messages of a provider were signed with before, kept for refunds and disputes; the oldest goes."""
MOST_TIME_DIGITS = 12
"""Digits of the time until which a right password counts, as a browser brings it back."""
LONGEST_LINK_TOKEN = 1_000
"""Characters of what a link to open an account carries."""
LONGEST_PAYMENT_UNDER_WAY = timedelta(days=30)
"""So long a payment is waited for; after that nobody will say any more what became of it."""

# --- Months, invoices and bills ---------------------------------------------------------------------------------------

MOST_PROPERTIES_PREVIEWED = 100
"""Properties of an account in which a file of bills or units is previewed, as it may be of any of them."""
MOST_SECONDS_OF_PREVIEW = 5
"""Seconds after which a preview makes no further change: others wait to write until it is undone."""
MOST_OPEN_MONTHS = 120
"""Open months of one property, which a change of its facts computes anew at once."""
MOST_MONTHS_OF_PROPERTY = 1_200
"""Months of one property that are listed: a hundred years."""
MOST_BULK_INVOICES = 150_000
"""Invoices of one bulk change. Writing down which they are takes 6.5 s of a processor for 96,000 on SQLite, where
nobody else writes meanwhile, and others wait for 10 s.
"""
MOST_BULK_REFUSALS_SHOWN = 100
"""Invoices that a bulk change refused and that are named."""
MOST_CHANGED_AT_ONCE = 20
"""Invoices that are changed while the person waits; more are changed by a job."""
MOST_BATCHES_UNDER_WAY = 20
"""Bulks of writes that an account may have under way; another one is refused until one is done."""
MOST_PRINTED_TOGETHER = 500
"""Invoices of one PDF: each takes some 25 ms of a processor, and the browser waits for all of them."""
LEAST_LIFE_OF_A_PRINTED_LINK = timedelta(days=60)
"""A link on paper is as the day of the invoice has it while it opens the page for so long."""
MOST_FLAGS_ACCEPTED = 100
"""Bills whose flags are accepted at once."""
MOST_FLAGGED_LOOKED_AT_AGAIN = 500
"""Bills with open flags, of the properties of one change, that are looked at again."""
MOST_FORMER_BILLS = 200
"""Bills of the same account number that are looked at to know a bill by those before it."""
MOST_LESSONS = 500
"""Issuers by whom a bill of an account may be read, those taught last before the others."""
MOST_LESSON_BYTES = 8_000_000
"""Of the lessons by which a bill is read: they go with it to the process that reads it."""
MOST_RULES_OF_WAY, WIDEST_PAGE, MOST_BILLS_OF_LESSON = 60, 1_000_000, 1_000_000
"""Amounts that a bill is divided by, tenths of a point across a page, and bills, in what others learned."""
LONGEST_LESSON_TEXT = 200
"""Characters of words beside a value, in what others learned."""
MOST_READ_AGAIN, READ_AGAIN_AT_ONCE = 50, 10
"""Documents that wait and are read again once more is known of their issuer; and those of them in one process."""
MOST_LEFT_OUT_NAMED = 200
"""Files of a message that were not taken and are named; the others are counted."""
MOST_SIMILAR_MAIL = 20
"""Messages with the same files that are looked at, to tell whether one is a copy."""
MOST_PROPERTIES_TRIED = 200
"""Bills and properties among which that of a document is looked for: by its account number, by its address."""

# --- Lists, searches and counts ---------------------------------------------------------------------------------------

LONGEST_SEARCH = 200
"""Characters of a search text; further ones are passed over."""
MOST_MATCHES = 10_000
"""Records that one word of a search leads to; one that begins more is looked for beside the others alone."""
LONGEST_CURSOR = 2_000
"""Characters of the mark where a list goes on."""
LARGEST_CURSOR_AMOUNT = 2**63 - 1
"""An amount in it: what the databases can compare with."""
MOST_ACTIVITY_LISTED = 100
"""Events of one page of the activity."""
MOST_ACTIVITY_LOOKED_AT = 10_000
"""Events among which those that fit are looked for at once."""
MOST_ACTIVITY_SEARCHED = 3_000
"""The same where a text is looked for: the record of each is looked at."""
MOST_ACTIVITY_MATCHES = 2_000
"""Words that a word of a text begins and whose records are looked for."""
MOST_DOCUMENTS_ON_A_PAGE = 50
"""Documents of a page of the Inbox."""
MOST_FILES_OF_A_BILL = 20
"""Files that are attached to a bill."""
MOST_DOCUMENTS_SEARCHED = 500
"""Documents that words are looked for in."""
MOST_MAIL_ON_A_PAGE = 50
"""Messages of a page of the Inbox."""
MOST_MAIL_SEARCHED = 500
"""Messages of a list, from its beginning on, in which words are looked for: they are in no index."""
LONGEST_MAIL_TEXT_SHOWN = 200
"""Characters of a message's subject or sender that are kept to be shown."""
MOST_PROPERTIES_LISTED = 100
"""Properties that the invoices can be narrowed to from a list; others are found by typing."""
MOST_MONTHS_LISTED = 120
"""Months, the same."""
MOST_MONTHS_CHECKED = 50
"""Property-months that are looked through at once, as on a page of the list of months, and before they are sent."""
MOST_MONTHS_MEANT = 5
"""Months that typed words may mean, the newest first: a month's name without its year means one of each."""
MOST_INVOICES_COUNTED = 5_000
"""Invoices that a search leads to and that are counted; of more it is said that they are more. Where each is to be read
for it, as its status or its tenant is asked for, `FEW` are.
"""
MOST_INVOICES_COUNTED_OF_MANY = 1_000
"""The same where words lead to many records."""
MOST_GATHERED_TENANTS = 200
"""Tenants whose invoices are gathered for the order by tenant, in which they stand together: walked, that may pass all
others first (0.4 s at 96,000 invoices). Of up to `MANY_RECORDS` the first so many by name are for a page, and it is
said that some may be missing.
"""
MOST_BILLS_COUNTED = 20_000
"""Bills that fit one filter and are counted; of more it is said that they are more."""
MOST_ISSUER_PAIRS = 20_000
"""Properties with an issuer each that words lead to, some of them to the one and some to the other."""
MOST_BILLS_COUNTED_WALKING = 500
"""Bills that are counted where several filters each fit more than `FEW`."""
MOST_LISTED_MONTHS_COUNTED = 5_000
"""Months that are counted; of more it is said that they are more."""
MOST_TENANTS_COUNTED = 20_000
"""Tenants that are counted where nothing is searched for; of more it is said that they are more."""
MOST_PAYMENTS_RECORDED_AT_ONCE = 500
"""Rows of a bank's file that are recorded in one transaction, about a second; the next ones follow in another."""
MOST_PAYMENTS_LOOKED_AT = 5_000
"""Entries among which those that a text finds are looked for at once."""
MOST_PAID_LOOKED_AT = 1_000
"""Paid invoices among which those are summed that were marked as paid without a payment recorded."""
MOST_JOBS_LISTED = 50
"""Jobs of one page."""
MOST_JOBS_SOUGHT = 1_000
"""Invoices whose jobs a search looks for."""

# --- Files that are made ----------------------------------------------------------------------------------------------

MOST_SPREADSHEET_RECORDS = 500_000
"""Records of one spreadsheet; a longer list is refused, not cut."""
MOST_INVOICES_LOOKED_THROUGH = 20_000
"""Invoices that are looked through for one file of charges: so many may be left out before those that go into it."""
MOST_CHARGE_FAULTS_NAMED = 50
"""Names that are lacking, invoices that are left out and changes that are named; the others are counted."""
MOST_CHARGE_FILES_LISTED = 12
"""Files of charges of one list."""
MOST_PAYMENT_FILES_LISTED = 50
"""Files of a bank of one list."""
MOST_INVOICES_OF_EVIDENCE = 120
"""Invoices of one evidence pack, such as those of ten years."""
MOST_EVENTS_OF_EVIDENCE = 5_000
"""Changes that an evidence pack lists."""
MOST_FORGOTTEN_AT_ONCE = 100
"""Former tenants, or bank files, that are looked at in one transaction as their period is over."""

"""Limits of accounts, bulk changes, lists and generated files.

Limits that the domain or the store needs are defined in those layers. `prorata.domain.limits` defines what counts as
a limit.
"""

from datetime import timedelta

# --- Properties, units and rules --------------------------------------------------------------------------------------

MOST_FIRST_MONTHS_AT_ONCE = 100
"""The most properties that get their first month to bill at once."""
MOST_UNITS = 5_000
"""The most units of one property, including deactivated units."""
MOST_MONTHS_COMPARED = 400
"""The most property-months that are compared at once with former charges."""
MOST_VACANT_NAMED = 10
"""The most vacant units that a search names in addition to the tenants found."""
MOST_BLENDS = 200
"""The most blends of an account, which are all read at once."""
MOST_RULE_VERSIONS = 120
"""The most versions of a share rule.

All are read whenever months are computed.
"""
LARGEST_PERCENT = 100
"""The largest percentage that can be entered."""
MOST_OCCUPANTS = 1_000
"""The most people that a rule may assume in a vacant unit."""
MOST_PROPERTIES_TO_CHOOSE_FROM = 100
"""The most properties in a list to choose from; a longer list is replaced by a search."""

# --- Members and providers --------------------------------------------------------------------------------------------

MOST_MEMBERS = 200
"""The most members and invitations of an account."""
LONGEST_PROVIDER_KEY = 255
"""The most characters of a payment provider's key."""
MOST_OPEN_LINKS_NAMED = 50
"""The most open payment links of a former provider key that are listed."""
MOST_FORMER_PROVIDER_SECRETS = 10
"""The most former secrets that are kept for verifying a payment provider's messages.

They are kept for refunds and disputes; the oldest is deleted first.
"""
MOST_TIME_DIGITS = 12
"""The most digits of the expiry time in a sign-in ticket that a browser returns."""
LONGEST_LINK_TOKEN = 1_000
"""The most characters in the token of a link to open an account."""
LONGEST_PAYMENT_UNDER_WAY = timedelta(days=30)
"""The longest wait for a pending payment.

After that, nobody will report its outcome any more.
"""

# --- Months, invoices and bills ---------------------------------------------------------------------------------------

MOST_PROPERTIES_PREVIEWED = 100
"""The most properties of an account for the preview of a file.

A file of bills or units may concern any of them.
"""
MOST_SECONDS_OF_PREVIEW = 5
"""The seconds after which a preview makes no further change.

Other writers wait until the preview is undone.
"""
MOST_OPEN_MONTHS = 120
"""The most open months of one property.

A change of its facts recalculates them all at once.
"""
MOST_MONTHS_OF_PROPERTY = 1_200
"""The most listed months of one property, which is a hundred years."""
MOST_BULK_INVOICES = 150_000
"""The most invoices of one bulk change.

Recording 96,000 invoices takes 6.5 s of processor time on SQLite. Nobody else can write meanwhile, and other writers
wait for at most 10 s.
"""
MOST_BULK_REFUSALS_SHOWN = 100
"""The most refused invoices of a bulk change that are named."""
MOST_UNDONE_PAYMENTS_SHOWN = 100
"""The most payments undone by a bulk change that are named."""
MOST_CHANGED_AT_ONCE = 20
"""The most invoices that are changed while the person waits.

A job changes larger numbers.
"""
MOST_BATCHES_UNDER_WAY = 20
"""The most unfinished batches of an account; another one is refused until one is done."""
MOST_PRINTED_TOGETHER = 500
"""The most invoices in one PDF.

Each takes about 25 ms of processor time, and the browser waits for all of them.
"""
LEAST_LIFE_OF_A_PRINTED_LINK = timedelta(days=60)
"""The shortest remaining validity of a printed link that is valid from the invoice date.

A link that would end earlier is valid from today instead.
"""
MOST_FLAGS_ACCEPTED = 100
"""The most bills whose flags are accepted at once."""
MOST_LATE_BILLED = 100
"""The most late bills that are billed at once."""
MOST_MOVED_BY_RULE = 500
"""The most bills that are moved at once to the months that a rule says; others follow in a further step."""
MOST_FLAGGED_LOOKED_AT_AGAIN = 500
"""The most flagged bills that are rechecked after one change of their properties."""
MOST_FORMER_BILLS = 200
"""The most earlier bills of an account number to which a new one is compared."""
MOST_NAMES_OF_BILLS = 100
"""The most recent names of bill lines that are listed beside a rule."""
MOST_LESSONS = 500
"""The most issuers with lessons for reading a bill, most recently taught first."""
MOST_LESSON_BYTES = 8_000_000
"""The most bytes of the lessons for reading a bill.

The lessons are sent to the process that reads the bill, together with the bill.
"""
MOST_RULES_OF_WAY, WIDEST_PAGE, MOST_BILLS_OF_LESSON = 60, 1_000_000, 1_000_000
"""The limits of a lesson from another account.

They limit the amounts into which a bill is divided, the width of a page in tenths of a point, and the number of bills.
"""
LONGEST_LESSON_TEXT = 200
"""The most characters of words next to a value, in a lesson from another account."""
MOST_READ_AGAIN, READ_AGAIN_AT_ONCE = 50, 10
"""The most waiting documents to reread with a new lesson, in total and in one process."""
MOST_LEFT_OUT_NAMED = 200
"""The most files left out of a message that are named; the others are counted."""
MOST_BYTES_SEARCHED_AT_ONCE = 20_000_000
"""The most bytes of the messages that one process searches for a name; a single message may be larger (20 MB)."""
MOST_SIMILAR_MAIL = 20
"""The most messages with the same files that are compared to detect a copy."""
MOST_PROPERTIES_TRIED = 200
"""The most bills and properties among which a document's property is searched.

The search is by account number and by address.
"""

# --- Lists, searches and counts ---------------------------------------------------------------------------------------

LONGEST_SEARCH = 200
"""The most characters of a search text; further ones are ignored."""
MOST_MATCHES = 10_000
"""The most records that one search word may find.

A word that finds more records is searched only among the matches of the other words.
"""
LONGEST_CURSOR = 2_000
"""The most characters of a cursor."""
LARGEST_CURSOR_AMOUNT = 2**63 - 1
"""The largest amount in a cursor: the largest that the databases can compare."""
MOST_ACTIVITY_LISTED = 100
"""The most events on one page of the activity."""
MOST_ACTIVITY_LOOKED_AT = 10_000
"""The most events that are searched for matches at once."""
MOST_ACTIVITY_SEARCHED = 3_000
"""The most events that are searched at once for a text.

The search needs each event's record.
"""
MOST_ACTIVITY_MATCHES = 2_000
"""The most words beginning with a search word whose records are searched."""
MOST_DOCUMENTS_ON_A_PAGE = 50
"""The most documents on one page of the Inbox."""
MOST_FILES_OF_A_BILL = 20
"""The most files attached to a bill."""
MOST_DOCUMENTS_SEARCHED = 500
"""The most documents in which words are searched."""
MOST_MAIL_ON_A_PAGE = 50
"""The most messages on one page of the Inbox."""
MOST_MAIL_SEARCHED = 500
"""The most messages in which words are searched, from the beginning of the list.

These words are in no index.
"""
LONGEST_MAIL_TEXT_SHOWN = 200
"""The most characters of a message's subject or sender that are kept for display."""
MOST_PROPERTIES_LISTED = 100
"""The most properties in the list that narrows the invoices; others are found by typing."""
MOST_MONTHS_LISTED = 120
"""The most months in the list that narrows the invoices."""
MOST_MONTHS_CHECKED = 50
"""The most property-months that are checked at once, on a page or before sending."""
MOST_MONTHS_MEANT = 5
"""The most months that typed words may mean, newest first.

A month's name without a year means that month of every year.
"""
MOST_INVOICES_COUNTED = 5_000
"""The most invoices found by a search that are counted; more are shown as "more".

If the count depends on each invoice's status or tenant, the limit is `FEW`.
"""
MOST_INVOICES_COUNTED_OF_MANY = 1_000
"""The most invoices that are counted if words match many records."""
MOST_GATHERED_TENANTS = 200
"""The most tenants whose invoices are gathered for sorting by tenant.

Reading the list in that order may pass all other invoices first (0.4 s for 96,000 invoices). With up to `MANY_RECORDS`
matching tenants, a page shows the first ones by name and states that some may be missing.
"""
MOST_BILLS_COUNTED = 20_000
"""The most bills that are counted for one filter; larger numbers are shown as "more"."""
MOST_ISSUER_PAIRS = 20_000
"""The most pairs of property and issuer that the words of a search may match.

Some words match the property, and some the issuer.
"""
MOST_BILLS_COUNTED_WALKING = 500
"""The most bills that are counted if several filters each match more than `FEW`."""
MOST_LISTED_MONTHS_COUNTED = 5_000
"""The most months that are counted; larger numbers are shown as "more"."""
MOST_TENANTS_COUNTED = 20_000
"""The most tenants that are counted without a search; larger numbers are shown as "more"."""
MOST_OPEN_INVOICES_SEARCHED = 2_000
"""The most open invoices, the oldest ones, that are searched for former tenants who owe something."""
MOST_PAYMENTS_RECORDED_AT_ONCE = 500
"""The most rows of a bank file that are recorded in one transaction.

This takes about a second; the next rows follow in another transaction.
"""
MOST_PAYMENTS_LOOKED_AT = 5_000
"""The most ledger entries that are searched at once for a text."""
MOST_PAID_LOOKED_AT = 1_000
"""The most paid invoices that are searched for amounts marked as paid without a payment."""
MOST_JOBS_LISTED = 50
"""The most jobs on one page."""
MOST_JOBS_SOUGHT = 1_000
"""The most invoices whose jobs a search looks for."""

# --- Files that are made ----------------------------------------------------------------------------------------------

MOST_SPREADSHEET_RECORDS = 500_000
"""The most records of one spreadsheet; a longer list is refused, not cut."""
MOST_INVOICES_LOOKED_THROUGH = 20_000
"""The most invoices that are read for one charge file.

If none of these can be included, later invoices are not read.
"""
MOST_CHARGE_FAULTS_NAMED = 50
"""The most missing names, left-out invoices and changes that are named.

The others are counted.
"""
MOST_CHARGE_FILES_LISTED = 12
"""The most charge files in one list."""
MOST_PAYMENT_FILES_LISTED = 50
"""The most bank files in one list."""
MOST_INVOICES_OF_EVIDENCE = 120
"""The most invoices in one evidence pack, which is about ten years of them."""
MOST_EVENTS_OF_EVIDENCE = 5_000
"""The most changes that an evidence pack lists."""
MOST_FORGOTTEN_AT_ONCE = 100
"""The most former tenants or bank files checked in one transaction after their period."""

# --- Requests that are repeated ---------------------------------------------------------------------------------------

ANSWERS_KEPT = timedelta(hours=24)
"""The time for which the answer to an Idempotency-Key is stored (docs/decisions.md#idempotency-keys)."""

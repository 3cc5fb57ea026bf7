"""Limits of records and messages: sizes, counts, lengths, depths and times.

They cover strings and numbers, files of bills, mail in and out, payments, jobs and webhooks. Each is a number with
its unit and reason; anything beyond it is refused, cut or skipped. A limit bounds input from outside. The amount of
internal work per step, which nobody sees, is defined in the code that does the work, and not called MOST, LONGEST
or LARGEST; the numbers used for reading bills (`bill_reading`) are not here, either. A limit that several rings
need is defined in the innermost of these. Those that a user can meet are in docs/limits.md.
"""

# --- Accounts, members and sign-in ------------------------------------------------------------------------------------

LONGEST_BILLER_ADDRESS = 500
"""Characters of the address that stands on an account's invoices."""
LONGEST_BILLER_CONTACT = 255
"""Characters of the e-mail address that tenants are told."""
LONGEST_BILLER_PHONE = 60
"""Characters of the telephone number that tenants are told."""
MOST_BILLER_ADDRESS_LINES = 8
"""Lines of that address: an invoice has room for so many."""
LONGEST_MAIL_SUBJECT = 150
"""Characters of an account's own subject of the e-mail with an invoice."""
LONGEST_MAIL_OPENING = 1_000
"""Characters of its own opening words."""
MOST_MAIL_OPENING_LINES = 12
"""Lines of these."""
LONGEST_PAY_TEXT = 500
"""Characters of what tenants are told about how to pay."""
MOST_PAY_TEXT_LINES = 6
"""Lines of that text: an invoice has room for so many."""
LONGEST_PAYEE = 70
"""Characters of the holder of a bank account (EPC069-12)."""
MOST_PAYEE_BYTES = 180
"""Bytes of that name in a QR code of a transfer: the whole may have 331."""
LARGEST_TRANSFER = 99_999_999_999
"""Cents that a QR code of a transfer may ask for (EPC069-12)."""
LONGEST_PAYMENT_TERMS = 365
"""Days that tenants may have to pay."""
LONGEST_ANNOUNCE_DAYS = 365
"""Days before another rule begins at which its tenants may be told of it."""
LONGEST_PERSON_NAME = 255
"""Characters of a member's name."""
LONGEST_USER_AGENT = 200
"""Characters of what a browser says it is that are kept with a session."""
MOST_SESSIONS = 50
"""Browsers that a member is signed in in; the one that was used least lately is signed out first."""
LONGEST_PASSWORD = 1_000
"""Characters of a password."""
MOST_LINKS_SENT = 3
"""Links of a kind that are sent to an address in the time that one lasts; whoever asks for more finds one of those in
the mailbox.
"""
MOST_LINKS_TRIED = 10
"""The same, with those whose message did not arrive."""
LONGEST_API_KEY_NAME = 100
"""Characters of the name of an API key."""
MOST_LIVE_API_KEYS = 100
"""Keys of an account that are not revoked."""
LONGEST_HOST = 262
"""Characters of a Host header: a name of 253, its last dot, brackets, and a port."""
SHORTEST_PASSWORD = 8
"""Characters of a password, at least."""

# --- Names, numbers and problems --------------------------------------------------------------------------------------

LONGEST_CODE = 12
"""Characters of the code that is made of a property's or unit's name for invoice numbers."""
LONGEST_NUMBERED_CODE = 16
"""The same with the number that tells two of them apart."""
LONGEST_STATE = 50
"""Characters of a state or province."""
LONGEST_INSERTED = 200
"""Characters of a name or label that are shown in a message; what is longer is cut."""
LONGEST_REPLACED = 2_000
"""Characters of what a message says of the invoice that it corrects; what is longer is cut."""
LONGEST_FILE_NAME = 200
"""Characters of a file's name that are kept, its ending among them."""
LONGEST_SHOWN_VALUE = 64
"""Characters of a name or value that is quoted back; what is longer is cut."""
MOST_PROBLEMS = 100
"""Problems that one answer lists; a body of nothing but unknown fields would have tens of thousands."""
LONGEST_TYPED_NUMBER = 60
"""Characters of a number in a form or file; far more than the largest one needs."""
MOST_CHANGES_SHOWN = 20
"""Fields of one change that the activity shows."""
MOST_CHANGED_WEIGHTS_SHOWN = 12
"""Units whose weights it shows; of more it only says that they changed."""
MOST_LOSSES_NAMED = 5
"""Names that the question before a removal lists; further ones are counted."""
MOST_EQUAL_FILES_NAMED = 10
"""Files refused for the same reason that are named where there is no room for all."""
LONGEST_SEARCHED_WORD = 64
"""Characters of a word that a search looks at."""
MOST_SEARCHED_WORDS = 5
"""Words of a search that are looked at; further ones are passed over."""
MOST_WORDS_OF_RECORD = 40
"""Words of one record that it is found by."""
LONGEST_SEARCH_KEY = 200
"""Characters of a text by which records are put in order."""
LARGEST_SEARCHED_AMOUNT = 10**15
"""Cents of an amount that a search looks for."""
LONGEST_HOST_LABEL = 63
"""Characters between two dots of a domain, as name servers have it."""
LONGEST_HOST_NAME = 253
"""Characters of a domain, the same."""
LARGEST_PORT = 65_535
"""The number of a port, as the network has it."""
LONGEST_FILE_ENDING = 10
"""Characters behind the last dot of a file's name; more are no ending."""

# --- Properties, units, tenants and rules -----------------------------------------------------------------------------

LONGEST_LABEL = 50
"""Characters of a unit's label."""
LONGEST_TENANT_NAME = 255
"""Characters of a tenant's name."""
MOST_BEDROOMS = 1_000
"""Bedrooms of a unit."""
MOST_TENANT_OCCUPANTS = 50
"""People who live in a unit under one tenant's name."""
LONGEST_FORWARDING_ADDRESS = 500
"""Characters of the address that a tenant moved to."""
LARGEST_SQFT = 10_000_000
"""Square feet or square metres of a unit."""
MOST_PROPERTIES_IN_FILE = 1_000
"""Properties of one file."""
LARGEST_WEIGHT = 1_000_000_000
"""A unit's weight in a rule."""

# --- Bills and their files --------------------------------------------------------------------------------------------

LARGEST_AMOUNT = 999_999_999_999
"""Cents of a bill or of a line, either sign: 9,999,999,999.99."""
LONGEST_UNSPREAD = 45
"""Days of a service period; a longer one may be spread over its months."""
LONGEST_FLAG_REASON = 200
"""Characters of the reason with which a flag is accepted."""
MOST_BILLS_COMPARED = 100
"""Bills next to it that a bill is compared with to find what is odd."""
CLOSEST_OF_ONE_METER = 14
"""Bills without an account number that lie no more than so many days from each other may be of two meters."""
MOST_PROPERTY_CANDIDATES = 5
"""Properties that the problem of an ambiguous name lists."""
MOST_UNKNOWN_NAMES = 30
"""Unknown names of each kind that somebody is asked about; what else is unknown is a problem of its row."""
LONGEST_ISSUER = 255
"""Characters of an issuer's name."""
LONGEST_BILL_NUMBER = 100
"""Characters of a bill's number."""
LONGEST_BILL_NOTES = 2000
"""Characters of the notes of a bill."""
LONGEST_PROPERTY_CELL = 1000
"""Characters of the cell that names a bill's property."""
LONGEST_SERVICE_DAYS = 400
"""Days of a bill's service period."""
LONGEST_BILL_LIST = 1000
"""Characters of a cell with a list of types or amounts."""
LONGEST_UNIT = 12
"""Characters of the unit in which a bill says what was used."""
LARGEST_USAGE = 999_999_999_999
"""What a bill may say was used of a utility, and the price of one."""
MOST_USAGE_DECIMALS = 10
"""Decimals of what was used, and of the price of one."""
MOST_EXACT_DIGITS = 15
"""Digits that a number cell of a spreadsheet keeps; what is longer has lost its end."""
LONGEST_BILL_COLUMN_NAME = 100
"""Characters of a column's name in a bills file."""
LONGEST_COLUMN_NAME = 100
"""Characters of a column's name in any table."""
LONGEST_CURRENCY_CODE = 3
"""Letters that stand beside an amount: of a currency, or of a month's short name."""
LONGEST_CURRENCY_CELL = 100
"""Characters of a cell that names a currency."""
MOST_STATED_ITEMS = 200
"""Different things that an e-invoice charges; one that charges more is one thing to its draft."""
MOST_DOCUMENT_BYTES = 10_000_000
"""Bytes of a bill or of another file in the Inbox (10 MB)."""
MOST_DOCUMENTS_UNDER_WAY = 500
"""Documents of an account that may wait to be read at once; whoever sends more is told to wait."""
MOST_ARCHIVE_NAMES = 1_000
"""Files of an archive whose names are looked at to tell what it is."""
MOST_TNEF_DEPTH = 5
"""Streams within streams of a winmail.dat that are read."""
MOST_TNEF_FILES = 100
"""Files of a winmail.dat that are taken."""
LONGEST_ZIP_COMMENT = 65_535
"""Bytes at the end of a ZIP that are its comment, as the format has it."""
LONGEST_CURRENCY_LINE = 1_000
"""Characters of a line of text in which a currency is looked for."""
LONGEST_LONE_CURRENCY = 30
"""Characters of a text that can say a currency and nothing else."""

# --- Incoming mail ----------------------------------------------------------------------------------------------------

MOST_ALLOWED_SENDERS = 200
"""Senders and domains whose mail is taken without a question."""
MOST_MAIL_WAITING = 600
"""Messages of an account that may wait for a person, or to be read; further ones are put off at the door."""
MOST_MAIL_OF_STRANGERS_WAITING = 500
"""The same of those that do not say they are of an allowed sender, which has the last places for itself."""
MOST_MAIL_BYTES_OF_A_DAY = 1 << 30
"""Bytes of mail of an account that are taken within 24 hours (1 GB)."""
MOST_MAIL_BYTES_OF_STRANGERS = 1 << 29
"""Bytes up to which a message need not say that it is of an allowed sender (512 MB)."""
MOST_MAIL_BYTES_OF_REPORTS = 1 << 27
"""Bytes of reports about messages of ours that are taken within 24 hours (128 MB)."""
MOST_ADDRESSES_IN_HEADERS = 100
"""Addresses in the headers of a message that are looked at."""
MOST_MESSAGE_BYTES = 25 << 20
"""Bytes of a message that is taken, whichever way it comes (25 MB): what most providers let leave."""
MOST_REPORT_BYTES = 4 << 20
"""Bytes of a report about a message of ours that are kept (4 MB); it says all in its beginning, and may bring ours
behind.
"""
MOST_KEEP_DAYS = 3_650
"""Days that a message can be kept as it came once nothing is to be done with it."""
LONGEST_INBOX_BASE = 32
"""Characters of what stands before the token of an inbox address."""
MOST_ATTACHMENTS = 100
"""Files of a message that are taken; those after that are left out."""
MOST_MAIL_PROBLEMS = 20
"""Problems of a message that are kept."""
LONGEST_SUBJECT = 200
"""Characters of a subject that are kept."""
MOST_HOPS = 40
"""Servers that a message may have come through; more go round in circles."""
MOST_MAIL_FIELDS = 1_000
"""Header fields of a message that are read."""
LONGEST_MAIL_FIELD = 4_000
"""Bytes of a header field that are read."""
MOST_MAIL_PARTS = 1_000
"""Parts of a message that are read."""
MOST_MAIL_DEPTH = 20
"""Parts within parts; a message that is forwarded as it was takes four."""
MOST_DECODED_MAIL_BYTES = 64 << 20
"""Bytes that all parts of a message together may have once they are decoded (64 MB)."""
LONGEST_MAIL_HEAD = 256 * 1024
"""Bytes of the head of a message."""
MOST_MAIL_ANSWERS = 30
"""Messages of an account that are answered in an hour."""
MOST_FILES_ANSWERED = 20
"""Files that an answer tells of one by one."""
LEAST_PICTURE = 40_000
"""Bytes that a legible picture of a page has at least: a smaller one that a letter shows is passed over."""
LONGEST_MAIL_BOUNDARY = 200
"""Characters of the line that divides the parts of a message; the standard has 70."""
LONGEST_UU_LINE = 64
"""Characters of a line of a file that is written out in the text of a message; twice as many are read."""
MOST_TNEF_ATTRIBUTES = 10_000
"""Attributes of a winmail.dat; with more it is none."""
MOST_TNEF_PROPERTIES = 2_000
"""Properties of one file in it that are looked at."""
LONGEST_TNEF_NAME = 2_000
"""Bytes of the name of a file in it."""

# --- Outgoing mail ----------------------------------------------------------------------------------------------------

LONGEST_LOCAL_PART = 64
"""Characters of an e-mail address before the @ (RFC 5321)."""
LONGEST_DOMAIN = 255
"""Characters of its domain."""
LONGEST_MAIL_TOKEN = 31
"""Characters of the tokens that our messages have: `mail_` and 26 more."""
LONGEST_MAIL_ADDRESS = 254
"""Characters of an e-mail address."""
MOST_TENANTS_IN_A_ROW = 4
"""E-mail addresses in one cell of a file of units, each of a tenant."""
MOST_MAIL_A_DAY = 200
"""Messages that a new account begins to send on a day, in UTC."""
LONGEST_MAIL_HOLD = 24 * 60
"""Minutes for which an account may hold its mail: a day."""
MOST_REMINDER_DAYS = 60
"""Days before or after the due date that a reminder may lie."""
MOST_REMINDERS = 5
"""Reminders before the due date, and as many after it."""
LONGEST_QUESTION = 2_000
"""Characters of a tenant's question."""
FEWEST_CHARACTERS_CUT = 3
"""Characters of a name or an address of a tenant that is cut from texts: a shorter one would be found anywhere."""
LONGEST_KEEP_YEARS = 30
"""Years for which an account may keep what is about former tenants."""
LONGEST_KEEP_DAYS = 3_650
"""Days for which an account may keep files of its bank."""
LONGEST_ANSWER_DAYS = 90
"""Days in which an account may say that disputes are answered."""
MOST_DISPUTE_FILES = 3
"""Files that come with a dispute; each is at most as large as a document."""
MOST_QUESTIONS_LISTED = 100
"""Questions that wait for an answer which one page lists, the oldest first."""
MOST_LINK_GENERATIONS = 65_535
"""Times that an invoice's link can be made anew."""
LONGEST_RECIPIENT_NAMED = 60
"""Characters of the name of whom a message goes to, where it is said what its job does."""

# --- Payments ---------------------------------------------------------------------------------------------------------

LONGEST_PAYMENT_NOTE = 500
"""Characters of the note of a payment."""
LONGEST_PAYMENT_REFERENCE = 140
"""Characters of the reference of a payment."""
MOST_PAYMENT_ENTRIES = 1_000
"""Payments, refunds, carried credits and what took them back of one invoice."""
MOST_ENTRIES_TO_CARRY = 900
"""Entries of a ledger from which on no credit is carried from it or to it: people need the rest."""
MOST_PAYMENT_ROWS = 5_000
"""Rows of a bank's file."""
MOST_COLUMN_SHAPES = 64
"""Ways in which a table without a header may be one that was seen before, where columns of it are empty."""
LONGEST_PAYMENT_TEXT = 1_000
"""Characters of the text of a row that are looked at."""
MOST_PAYMENT_CANDIDATES = 8
"""Invoices that are offered for one row."""
LONGEST_PAYMENT_REASON = 64
"""Characters of the code of a question about a provider's payment, which a form sends back."""
MOST_PROVIDER_EVENT_BYTES = 256 * 1024
"""Bytes of a message of a payment provider."""

# --- Charge files -----------------------------------------------------------------------------------------------------

MOST_INVOICES_OF_CHARGE_FILE = 5_000
"""Invoices of one file of charges; the next file has the next ones."""
MOST_FORMER_CHARGE_ROWS = 50_000
"""Rows of a spreadsheet of what was charged before."""
LONGEST_CHARGE_NAME = 255
"""Characters of a name in the accounting software."""
LONGEST_LAYOUT_NAME = 200
"""Characters of such a name where the layout says nothing shorter."""
MOST_CHARGE_NAME_ROWS = 20_000
"""Rows of a file of names."""
LONGEST_CHARGE_NAME_CELL = 255
"""Characters of one of its cells."""
MOST_LINES_TRIED = 40
"""Lines of a month of which every two are tried as lacking together."""

# --- Jobs and webhooks ------------------------------------------------------------------------------------------------

LONGEST_UNIQUE_KEY = 200
"""Characters of the key that a job is queued once under."""
LONGEST_JOB_ERROR = 1_000
"""Characters of the sentence that a failed job keeps."""
LARGEST_PAYLOAD = 256 * 1024
"""Characters of a job's payload: it names records and holds none."""
MOST_FORMER_WEBHOOK_SECRETS = 5
"""Secrets that may sign beside the newest one; another is made once they have ended."""
MOST_WEBHOOKS = 20
"""Webhooks of one account."""
LONGEST_WEBHOOK_URL = 2_000
"""Characters of a webhook's address."""
LONGEST_WEBHOOK_DESCRIPTION = 255
"""Characters of its description."""
LONGEST_WEBHOOK_ANSWER = 300
"""Characters that are kept of what a receiver answered."""
MOST_WEBHOOK_FAILURES = 3
"""Failures in a row after which new events wait each time: a receiver that is down is not asked about every one."""

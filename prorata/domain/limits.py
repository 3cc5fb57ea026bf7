"""Limits of records and messages: sizes, counts, lengths, depths and times.

The limits cover strings and numbers, files of bills, incoming and outgoing mail, payments, jobs and webhooks. Each
limit has a unit and a reason; input from outside that exceeds a limit is refused, cut or skipped. The amount of
work in one internal step, which nobody sees, is defined in the code that does the work, under a name without MOST,
LONGEST or LARGEST. The numbers used for reading bills (`bill_reading`) are not here, either. A limit for several
packages is defined in the innermost of them. The limits that a user can reach are listed in docs/limits.md.
"""

# --- Accounts, members and sign-in ------------------------------------------------------------------------------------

LONGEST_BILLER_ADDRESS = 500
"""The maximum number of characters in the address on an account's invoices."""
LONGEST_BILLER_CONTACT = 255
"""The maximum number of characters in the contact e-mail address shown to tenants."""
LONGEST_BILLER_PHONE = 60
"""The maximum number of characters in the telephone number shown to tenants."""
MOST_BILLER_ADDRESS_LINES = 8
"""The maximum number of lines in the address on an account's invoices."""
LONGEST_MAIL_SUBJECT = 150
"""The maximum number of characters in an account's own subject for e-mails with an invoice."""
LONGEST_MAIL_OPENING = 1_000
"""The maximum number of characters in an account's own opening for e-mails with an invoice."""
MOST_MAIL_OPENING_LINES = 12
"""The maximum number of lines in an account's own opening."""
LONGEST_PAY_TEXT = 500
"""The maximum number of characters in an account's payment instructions for tenants."""
MOST_PAY_TEXT_LINES = 6
"""The maximum number of lines in an account's payment instructions on invoices."""
LONGEST_PAYEE = 70
"""The maximum number of characters in a bank account holder's name (EPC069-12)."""
MOST_PAYEE_BYTES = 180
"""The maximum number of bytes in a payee's name in a transfer's QR code."""
LARGEST_TRANSFER = 99_999_999_999
"""The maximum number of cents that a transfer's QR code may request (EPC069-12)."""
LONGEST_PAYMENT_TERMS = 365
"""The maximum number of days that tenants may have to pay."""
LONGEST_ANNOUNCE_DAYS = 365
"""The maximum number of days from a rule's announcement to its start."""
LONGEST_PERSON_NAME = 255
"""The maximum number of characters in a member's name."""
LONGEST_USER_AGENT = 200
"""The maximum number of characters in a browser's user agent stored with a session."""
MOST_SESSIONS = 50
"""The maximum number of a member's sessions; the least recently used session is ended first."""
LONGEST_PASSWORD = 1_000
"""The maximum number of characters in a password."""
MOST_LINKS_SENT = 3
"""The maximum number of links of a kind sent to one e-mail address within a link's lifetime."""
MOST_LINKS_TRIED = 10
"""The maximum number of links of a kind, including those whose message did not arrive."""
LONGEST_API_KEY_NAME = 100
"""The maximum number of characters in an API key's name."""
MOST_LIVE_API_KEYS = 100
"""The maximum number of API keys of an account that are not revoked."""
LONGEST_HOST = 262
"""The maximum number of characters in a Host header: name, dot, brackets and port."""
SHORTEST_PASSWORD = 8
"""The minimum number of characters in a password."""

# --- Names, numbers and problems --------------------------------------------------------------------------------------

LONGEST_CODE = 12
"""The maximum number of characters in a property's or unit's code in invoice numbers."""
LONGEST_NUMBERED_CODE = 16
"""The maximum number of characters in a code with the number that distinguishes it."""
LONGEST_STATE = 50
"""The maximum number of characters in a state or province."""
LONGEST_INSERTED = 200
"""The maximum number of characters in text inserted into a message; longer text is cut."""
LONGEST_REPLACED = 2_000
"""The maximum length of a message's text about a replaced invoice or a credit."""
LONGEST_FILE_NAME = 200
"""The maximum number of characters stored of a file's name, including its extension."""
LONGEST_SHOWN_VALUE = 64
"""The maximum number of characters in a quoted name or value; longer text is cut."""
MOST_PROBLEMS = 100
"""The maximum number of problems that one response lists; a bad request may have thousands."""
LONGEST_TYPED_NUMBER = 60
"""The maximum number of characters of a number in a form or file."""
MOST_CHANGES_SHOWN = 20
"""The maximum number of fields of one change that the activity shows."""
MOST_CHANGED_WEIGHTS_SHOWN = 12
"""The maximum number of units whose changed weights the activity lists."""
MOST_NAMED = 5
"""The maximum number of records that one sentence or confirmation names; others are counted."""
MOST_OPEN_LISTED = 12
"""The maximum number of lines about a tenant's other open invoices; further invoices are counted."""
MOST_EQUAL_FILES_NAMED = 10
"""The maximum number of files named for one reason for refusal, if space is limited."""
LONGEST_SEARCHED_WORD = 64
"""The maximum number of characters in a search word that are used."""
MOST_SEARCHED_WORDS = 5
"""The maximum number of words of a search that are used; others are ignored."""
MOST_WORDS_OF_RECORD = 40
"""The maximum number of words by which one record can be found."""
LONGEST_SEARCH_KEY = 200
"""The maximum number of characters in a text that are used for sorting records."""
LARGEST_SEARCHED_AMOUNT = 10**15
"""The maximum amount, in cents, that a search looks for."""
LONGEST_HOST_LABEL = 63
"""The maximum number of characters between two dots of a domain, as in DNS."""
LONGEST_HOST_NAME = 253
"""The maximum number of characters in a domain, as in DNS."""
LARGEST_PORT = 65_535
"""The highest number of a network port."""
LONGEST_FILE_ENDING = 10
"""The maximum number of characters in a file name's extension."""

# --- Properties, units, tenants and rules -----------------------------------------------------------------------------

LONGEST_LABEL = 50
"""The maximum number of characters in a unit's label."""
LONGEST_TENANT_NAME = 255
"""The maximum number of characters in a tenant's name."""
MOST_BEDROOMS = 1_000
"""The maximum number of bedrooms of a unit."""
MOST_TENANT_OCCUPANTS = 50
"""The maximum number of people who live in a unit under one tenant's name."""
LONGEST_FORWARDING_ADDRESS = 500
"""The maximum number of characters in the address to which a tenant moved."""
LARGEST_SQFT = 10_000_000
"""The maximum floor area of a unit, in square feet or square meters."""
MOST_PROPERTIES_IN_FILE = 1_000
"""The maximum number of properties in one file."""
LARGEST_WEIGHT = 1_000_000_000
"""The maximum weight of a unit in a rule."""

# --- Bills and their files --------------------------------------------------------------------------------------------

LARGEST_AMOUNT = 999_999_999_999
"""The maximum number of cents of a bill or line, of either sign: 9,999,999,999.99."""
LONGEST_UNSPREAD = 45
"""The number of days above which a service period may be spread over months."""
LONGEST_FLAG_REASON = 200
"""The maximum number of characters in the reason for accepting a flag."""
MOST_BILLS_COMPARED = 100
"""The maximum number of nearby bills with which a bill is compared to find flags."""
CLOSEST_OF_ONE_METER = 14
"""The number of days within which bills without account numbers may be for two meters."""
MOST_PROPERTY_CANDIDATES = 5
"""The maximum number of properties listed in the problem of an ambiguous name."""
MOST_UNKNOWN_NAMES = 30
"""The maximum number of names of each kind, unknown or billed as OTHER, that a person is asked about at once."""
LONGEST_ISSUER = 255
"""The maximum number of characters in an issuer's name."""
LONGEST_BILL_NUMBER = 100
"""The maximum number of characters in a bill's number."""
LONGEST_BILL_NOTES = 2000
"""The maximum number of characters in a bill's notes."""
LONGEST_LINE_NAME = 60
"""The maximum number of characters in the name that tenants see for a bill's line."""
LONGEST_PROPERTY_CELL = 1000
"""The maximum number of characters in the cell that names a bill's property."""
LONGEST_SERVICE_DAYS = 400
"""The maximum number of days of a bill's service period."""
LONGEST_BILL_LIST = 1000
"""The maximum number of characters in a cell with a list of types or amounts."""
LONGEST_UNIT = 12
"""The maximum number of characters in a bill's unit of measure."""
LARGEST_USAGE = 999_999_999_999
"""The largest usage and the largest unit price that a bill may state."""
MOST_USAGE_DECIMALS = 10
"""The maximum number of decimals of a usage and of its unit price."""
MOST_EXACT_DIGITS = 15
"""The maximum number of digits that a spreadsheet's number cell stores exactly."""
LONGEST_BILL_COLUMN_NAME = 100
"""The maximum number of characters in a column's name in a bills file."""
LONGEST_METHOD_NAME = 100
"""The maximum number of characters in the name of a split method."""
LONGEST_COLUMN_NAME = 100
"""The maximum number of characters in a column's name in any table."""
LONGEST_CURRENCY_CODE = 3
"""The maximum number of letters beside a number: a currency code or short month."""
LONGEST_CURRENCY_CELL = 100
"""The maximum number of characters in a cell that names a currency."""
MOST_STATED_ITEMS = 200
"""The maximum number of different items of an e-invoice; more are combined into one item."""
MOST_DOCUMENT_BYTES = 10_000_000
"""The maximum number of bytes in a bill or another Inbox file (10 MB)."""
MOST_DOCUMENTS_UNDER_WAY = 500
"""The maximum number of an account's documents waiting to be read; others are refused."""
MOST_ARCHIVE_NAMES = 1_000
"""The maximum number of file names read to detect an archive's kind."""
MOST_TNEF_DEPTH = 5
"""The maximum depth of nested streams read in a winmail.dat."""
MOST_TNEF_FILES = 100
"""The maximum number of files accepted from a winmail.dat."""
LONGEST_ZIP_COMMENT = 65_535
"""The maximum number of bytes in a ZIP's final comment, as in the format."""
LONGEST_CURRENCY_LINE = 1_000
"""The maximum number of characters in a line in which a currency is looked for."""
LONGEST_LONE_CURRENCY = 30
"""The maximum number of characters in a text that names only a currency."""

# --- Incoming mail ----------------------------------------------------------------------------------------------------

MOST_ALLOWED_SENDERS = 200
"""The maximum number of senders and domains whose mail is accepted without a question."""
MOST_MAIL_WAITING = 600
"""The maximum number of an account's messages that wait for reading or a person.

Further messages are temporarily rejected.
"""
MOST_MAIL_OF_STRANGERS_WAITING = 500
"""The maximum number of waiting messages that don't claim an allowed sender.

The last places are reserved for allowed senders.
"""
MOST_MAIL_BYTES_OF_A_DAY = 1 << 30
"""The maximum number of bytes in an account's mail accepted within 24 hours (1 GB)."""
MOST_MAIL_BYTES_OF_STRANGERS = 1 << 29
"""An account's daily bytes of mail above which only allowed senders are accepted (512 MB)."""
MOST_MAIL_BYTES_OF_REPORTS = 1 << 27
"""The maximum number of bytes of delivery reports about Prorata's messages in 24 hours (128 MB)."""
MOST_ADDRESSES_IN_HEADERS = 100
"""The maximum number of addresses read from a message's headers."""
MOST_MESSAGE_BYTES = 25 << 20
"""The maximum number of bytes in an accepted message, however it arrives (25 MB).

Most providers allow their users to send messages of this size.
"""
MOST_REPORT_BYTES = 4 << 20
"""The maximum number of bytes stored of a delivery report (4 MB).

A report states its facts first; the message that it is about may follow them.
"""
MOST_KEEP_DAYS = 3_650
"""The maximum number of days for which a finished message can be kept unchanged."""
LONGEST_INBOX_BASE = 32
"""The maximum number of characters before the token of an inbox address."""
MOST_ATTACHMENTS = 100
"""The maximum number of files accepted from a message; later files are left out."""
MOST_MAIL_PROBLEMS = 20
"""The maximum number of problems stored for a message."""
LONGEST_SUBJECT = 200
"""The maximum number of characters stored of a subject."""
MOST_HOPS = 40
"""The maximum number of servers that a message has passed.

A message with more is in a loop.
"""
MOST_MAIL_FIELDS = 1_000
"""The maximum number of header fields read from a message."""
LONGEST_MAIL_FIELD = 4_000
"""The maximum number of bytes read from a header field."""
MOST_MAIL_PARTS = 1_000
"""The maximum number of parts read from a message."""
MOST_MAIL_DEPTH = 20
"""The maximum depth of nested parts in a message.

A message forwarded unchanged needs four.
"""
MOST_DECODED_MAIL_BYTES = 64 << 20
"""The maximum number of decoded bytes of all parts of a message together (64 MB)."""
LONGEST_MAIL_HEAD = 256 * 1024
"""The maximum number of bytes in a message's head."""
MOST_MAIL_ANSWERS = 30
"""The maximum number of messages of an account that are answered in an hour."""
MOST_FILES_ANSWERED = 20
"""The maximum number of files that a reply lists one by one."""
LEAST_PICTURE = 40_000
"""The minimum number of bytes in a legible picture of a page.

A smaller picture that a letter displays is ignored.
"""
LONGEST_MAIL_BOUNDARY = 200
"""The maximum number of characters in a line that divides a message's parts.

The standard allows 70.
"""
LONGEST_UU_LINE = 64
"""The maximum number of characters in a uuencoded line; twice as many are read."""
MOST_TNEF_ATTRIBUTES = 10_000
"""The maximum number of attributes of a winmail.dat.

A file with more attributes is not a winmail.dat.
"""
MOST_TNEF_PROPERTIES = 2_000
"""The maximum number of properties read of one file in a winmail.dat."""
LONGEST_TNEF_NAME = 2_000
"""The maximum number of bytes read of a file's name in a winmail.dat."""

# --- Outgoing mail ----------------------------------------------------------------------------------------------------

LONGEST_LOCAL_PART = 64
"""The maximum number of characters in an e-mail address before the @ (RFC 5321)."""
LONGEST_DOMAIN = 255
"""The maximum number of characters in an e-mail address's domain."""
LONGEST_MAIL_TOKEN = 31
"""The maximum number of characters in a message's token: `mail_` and 26 more."""
LONGEST_MAIL_ADDRESS = 254
"""The maximum number of characters in an e-mail address."""
MOST_TENANTS_IN_A_ROW = 4
"""The maximum number of tenants' e-mail addresses in one cell of a unit file."""
MOST_MAIL_A_DAY = 200
"""The maximum number of messages that a new account starts on a UTC day."""
LONGEST_MAIL_HOLD = 24 * 60
"""The maximum number of minutes for which an account may hold its mail: a day."""
MOST_REMINDER_DAYS = 60
"""The maximum number of days between a reminder and the due date."""
MOST_REMINDERS = 5
"""The maximum number of reminders before the due date, and after it."""
LONGEST_QUESTION = 2_000
"""The maximum number of characters in a tenant's question."""
FEWEST_CHARACTERS_CUT = 3
"""The minimum length of a name or address that an erasure cuts from text.

A shorter name would be found in unrelated text.
"""
LONGEST_KEEP_YEARS = 30
"""The maximum number of years for which an account may keep records about former tenants."""
LONGEST_KEEP_DAYS = 3_650
"""The maximum number of days for which an account may keep its bank's files."""
LONGEST_ANSWER_DAYS = 90
"""The maximum number of days that an account may set for answering disputes."""
MOST_DISPUTE_FILES = 3
"""The maximum number of a dispute's files, each no larger than a document."""
MOST_QUESTIONS_LISTED = 100
"""The maximum number of unanswered questions that one page lists, the oldest first."""
MOST_LINK_GENERATIONS = 65_535
"""The maximum number of times that an invoice's link can be renewed."""
LONGEST_RECIPIENT_NAMED = 60
"""The maximum number of characters in a recipient's name in the description of a job."""

# --- Payments ---------------------------------------------------------------------------------------------------------

LONGEST_PAYMENT_NOTE = 500
"""The maximum number of characters in a payment's note."""
LONGEST_PAYMENT_REFERENCE = 140
"""The maximum number of characters in a payment's reference."""
MOST_PAYMENT_ENTRIES = 1_000
"""The maximum number of payments, refunds, carried credits and reversals of one invoice."""
MOST_ENTRIES_TO_CARRY = 900
"""The number of ledger entries at which an invoice stops giving or taking credits.

The remaining entries are reserved for people.
"""
MOST_PAYMENT_ROWS = 5_000
"""The maximum number of rows of a bank's file."""
MOST_COLUMN_SHAPES = 64
"""The maximum number of shapes tried to recognize a table without a header.

A table has several shapes if some of its columns are empty.
"""
LONGEST_PAYMENT_TEXT = 1_000
"""The maximum number of characters used of the text in a bank statement's row."""
MOST_PAYMENT_CANDIDATES = 8
"""The maximum number of invoices proposed for one row of a bank's file."""
LONGEST_PAYMENT_REASON = 64
"""The maximum number of characters in a reason code that a form returns.

The code identifies a question about a payment provider's payment.
"""
MOST_PROVIDER_EVENT_BYTES = 256 * 1024
"""The maximum number of bytes in a payment provider's message."""

# --- Charge files -----------------------------------------------------------------------------------------------------

MOST_INVOICES_OF_CHARGE_FILE = 5_000
"""The maximum number of invoices in one charge file; the next file continues."""
MOST_FORMER_CHARGE_ROWS = 50_000
"""The maximum number of rows of a spreadsheet of earlier charges."""
LONGEST_CHARGE_NAME = 255
"""The maximum number of characters in a name in the accounting software."""
LONGEST_LAYOUT_NAME = 200
"""The default maximum number of characters in a name in the accounting software."""
MOST_CHARGE_NAME_ROWS = 20_000
"""The maximum number of rows of a file of names."""
LONGEST_CHARGE_NAME_CELL = 255
"""The maximum number of characters in a cell in a file of names."""
MOST_LINES_TRIED = 40
"""The maximum number of lines tried in pairs to explain a month's difference."""

# --- Jobs and webhooks ------------------------------------------------------------------------------------------------

LONGEST_UNIQUE_KEY = 200
"""The maximum number of characters in the key that makes a queued job unique."""
LONGEST_JOB_ERROR = 1_000
"""The maximum number of characters in a failed job's stored error sentence."""
LARGEST_PAYLOAD = 256 * 1024
"""The maximum number of characters in a job's payload, which only references records."""
MOST_FORMER_WEBHOOK_SECRETS = 5
"""The maximum number of former webhook secrets that may sign along with the newest secret.

Another secret can be created after one of them has expired.
"""
MOST_WEBHOOKS = 20
"""The maximum number of webhooks of one account."""
LONGEST_WEBHOOK_URL = 2_000
"""The maximum number of characters in a webhook's address."""
LONGEST_WEBHOOK_DESCRIPTION = 255
"""The maximum number of characters in a webhook's description."""
LONGEST_WEBHOOK_ANSWER = 300
"""The maximum number of characters stored of a receiver's response."""
MOST_WEBHOOK_FAILURES = 3
"""The number of a webhook's successive failures after which new events wait.

A receiver that is down is not called for every event.
"""

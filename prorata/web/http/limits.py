"""Limits of requests, forms, uploaded files, and one page's contents.

Limits that an inner ring needs are defined there; `prorata.domain.limits` explains what a limit is.
"""

from decimal import Decimal

# --- Requests of the API ----------------------------------------------------------------------------------------------

MOST_BODY_BYTES = 256 * 1024
"""Bytes of a request's body (256 KB)."""
MOST_PAYMENT_ROWS_CHOSEN = 500
"""Rows of a bank's file that one request records."""
MOST_PAYMENT_COLUMNS_SENT = 200
"""Columns of such a file that one request says the meaning of."""
LONGEST_PAYMENT_MARK = 2_000
"""Characters of the mark of the invoices that a row may be for."""
LONGEST_IDS_LISTED = 6_000
"""Characters of the ids of invoices that an address names."""
MOST_CHARGE_NAMES_SENT = 500
"""Names of another program that one request says."""
LONGEST_CHARGE_TEXT = 500
"""Characters of what a charge of one's own is called."""
MOST_INVOICES_CHOSEN = 5_000
"""Invoices that one request names: as many as a property has units, and as its body holds."""
MOST_CHARGES_COMPARED = 5_000
"""Charges that are compared at once: of more, a body would not hold much."""
MOST_BILL_LINES_SENT = 20
"""Lines of a bill that is sent: more than there are utilities and reasons not to bill one."""
MOST_PLACES_SENT = 20
"""Places on the pages of a bill that are pointed at for one of its values."""
LARGEST_PAGE_EDGE = 100_000
"""Points of a page that nobody prints."""
MOST_PREVIEWED = 20
"""Changes that one preview makes and undoes."""
LONGEST_PREVIEWED_PATH = 200
"""Characters of the path of such a change, and of a write of a bulk."""
MOST_BULK_WRITES = 1_000
"""Writes of one bulk."""
MOST_BULK_BYTES = 1024 * 1024
"""Bytes of a bulk (1 MB): a KB for each write."""
WRITES_OF_A_REQUEST = 100
"""So many writes of a bulk count as one request; begun ones too."""
MOST_ON_A_PAGE = 100
"""Records on a page."""
MOST_WALKED = 1_000
"""Records of an answer that reads a list on."""
MOST_PARAMETERS = 50
"""Parameters of a query."""
LONGEST_NUMBER = 400
"""Characters of one number; every double can be written in fewer than 330."""
LONGEST_DIGITS = 20
"""Digits of a whole number in a query."""
LARGEST_QUANTITY = 10_000_000
"""Any quantity that a field takes."""
LARGEST_MONEY = Decimal("9999999999.99")
"""Money that a field takes: `LARGEST_AMOUNT` in the currency's units."""
LONGEST_IDEMPOTENCY_KEY = 255
"""Characters of an `Idempotency-Key`."""
LONGEST_IDEMPOTENT_WAIT = 5
"""Seconds that a repeated request waits for the first one's answer."""
MOST_KEYS_REMEMBERED = 10_000
"""API keys that are remembered between requests."""
LONGEST_WRITE_WAIT = 10.0
"""Seconds that a write waits for its turn; then the answer is 503."""
LONGEST_CHECK = 15.0
"""Seconds until a check is answered 503: longer than reads wait, so that threads are free again by then."""
MOST_WRITES_WAITING = 1_000
"""Writes that wait at once; the next is refused at the door."""
LONGEST_ACCEPT_ENCODING = 256
"""Bytes of the header that says how an answer may be packed; one with a longer header is sent as it is."""
MOST_HOSTS_REMEMBERED = 256
"""Hosts of which it is remembered whether they are ours."""
LEAST_BODY_SECONDS = 30.0
"""Seconds that every body is given; large ones have more."""

# --- Forms ------------------------------------------------------------------------------------------------------------

MOST_FORM_BYTES = 256 * 1024
"""Bytes of a form without files (256 KB)."""
MOST_FIELDS = 6_000
"""Fields in one form: a property's units, each with a box, and some more."""
MOST_WEIGHTS_FORM_BYTES = MOST_FIELDS * 100
"""Bytes of a form with the weight of each unit of the largest property, and its name."""
MOST_FORM_PARTS = 200
"""Fields and files in a form that has files: those that are brought at once, and some fields."""
LONGEST_PART_HEAD = 2_048
"""Bytes of a line that says what a part is: its field, and its file's name, which a system lets have 765."""
MOST_HEAD_LINES = 4
"""Such lines of one part."""
LARGEST_KEPT_FORM = 400_000
"""Characters of a form that is kept while somebody signs in: one of 256 KiB fits, unless it has many fields with next
to nothing in them.
"""
MOST_BYTES_WITH_KEPT_FORM = 512 * 1024
"""Bytes of a form that has such a field, in which some characters take three."""
LONGEST_TICKED = 4_000
"""Characters of what is ticked: more than the ids of a page."""
MOST_FLAGS = 20
"""Flags of a bill: one of each kind at the most, and one for each utility."""
LONGEST_ISSUER_KEY = 1_000
"""Characters of the key of an issuer's name: some letters of it are several without their accents."""
MOST_LESSONS_FILE_BYTES = 20 * 1024 * 1024
"""Bytes of a file of what was learned of issuers, with the form around it (20 MB)."""
MOST_POINTS = 6_000
"""Amounts, days, numbers and words of a bill that can be pointed at."""
MOST_POINTED_CHARACTERS = 20_000
"""Characters of the places that somebody pointed at: those of some 500."""
MOST_INVOICE_ITEMS = 60
"""Items of an e-invoice that are asked on its page; of more, the amounts are entered in the form of the bill."""
LONGEST_SENDERS_LIST = 20_000
"""Characters of the list of allowed senders as it is typed."""
LONGEST_SESSION_COOKIE = 128
"""Characters of the cookie of a session."""
LONGEST_NOTICE = 600
"""Characters of what the next page says was done; it travels in a cookie."""
LONGEST_RETURN_ADDRESS = 1_500
"""Characters of the address of a page that leads back to itself: with a longer query it is gone back to without."""
MOST_WHOLE_DIGITS = 7
"""Digits of a whole number in a form."""
MOST_TRUSTED_PEOPLE = 4
"""People who use one browser and are known by it; of more, those who signed in last."""
LONGEST_TRUSTED_COOKIE = 800
"""Characters of the cookie by which they are known."""
MOST_PAYMENTS_PLAYED = 60
"""Trial payments that one address may play in a quarter of an hour."""

# --- Uploads and downloads --------------------------------------------------------------------------------------------

MOST_UPLOAD_BYTES = 5 * 1024 * 1024
"""Bytes of a table from a browser (5 MB); a larger one is for the command line."""
MOST_UPLOAD_FORM_BYTES = 8 * 1024 * 1024
"""Bytes of such a file with the form around it, and of a packed one, which is written with a third more."""
MOST_INBOX_FILES = 50
"""Files that are brought to the Inbox at once."""
MOST_INBOX_FORM_BYTES = 40 * 1024 * 1024
"""Bytes of these files together (40 MB)."""
MOST_LOGO_BYTES = 5 * 1024 * 1024
"""Bytes of a form with a logo (5 MB)."""
MOST_ATTACHED_BYTES = 11 * 1024 * 1024
"""Bytes of a form with a file that is attached to a bill (11 MB)."""
MOST_DISPUTE_FORM_BYTES = 11 * 1024 * 1024
"""Bytes of the files of a dispute, with the form around them (11 MB)."""
MOST_CUT_FORM_BYTES = 64 * 1024 * 1024
"""Bytes of a form with files that are received, if not kept (64 MB), so that what was typed is shown again."""
MOST_FILES_SENT_AT_ONCE = 16
"""Files that one process makes and sends at once."""
MOST_FILES_SENT_TO_ONE = 4
"""Those among them of one account."""
LONGEST_PIECE = 60.0
"""Seconds that a piece may take to be taken: a line that is slower than 4 KB/s is given up."""
LARGEST_DOWNLOAD = 1024 * 1024 * 1024
"""Bytes of a file that is made (1 GB): more than any spreadsheet opens."""

# --- What one page shows ----------------------------------------------------------------------------------------------

MOST_PARALLEL_RUN_PROBLEMS = 20
"""Problems of such a file that are shown."""
MOST_REASONS_SHOWN = 5
"""Explanations that are shown of many months that differ from what was charged before."""
MOST_CHARGE_NAME_PROBLEMS = 5
"""Problems of a file of names that are shown."""
MOST_PROPERTY_FILE_PROBLEMS = 100
"""Problems of a file of properties that are shown."""
MOST_PAYMENT_ROWS_SHOWN = 100
"""Rows of each kind that are shown at once; the next ones follow when these are recorded."""
MOST_TOLD_SHOWN = 100
"""Households of which a page shows what they were told of other rules, the latest ones."""
MOST_SHARES_SHOWN = 200
"""Units that a preview lists; those behind them are summed."""
MOST_TABLE_ROWS_SHOWN = 100
"""Rows of a table that are shown."""
LONGEST_TABLE_ANSWER = 1_000
"""Characters of what somebody says a column or a name in a table means."""
MOST_INVOICE_EVENTS_SHOWN = 30
"""Events of an invoice's history that its page shows; the others are in Activity."""
MOST_MONTHS_DECIDED = 120
"""Months whose corrections one request decides."""
MOST_COLUMNS_FORM = 100_000
"""Characters of what a page holds of the columns of a file."""
LONGEST_RETOLD = 400
"""Characters of a stored sentence that a page says in its language; a longer one stays English."""

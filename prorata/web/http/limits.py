"""Limits of requests, forms, uploaded files, and the contents of one page.

A limit that an inner layer needs as well is defined in that layer. `prorata.domain.limits` explains what a limit is.
"""

from decimal import Decimal

# --- Requests of the API ----------------------------------------------------------------------------------------------

MOST_BODY_BYTES = 256 * 1024
"""The maximum number of bytes in a request's body (256 KB)."""
MOST_PAYMENT_ROWS_CHOSEN = 500
"""The maximum number of rows of a bank's file that one request records."""
MOST_PAYMENT_COLUMNS_SENT = 200
"""The maximum number of a file's columns whose meanings one request sets."""
LONGEST_PAYMENT_MARK = 2_000
"""The maximum number of characters in the mark of a row's possible invoices."""
LONGEST_IDS_LISTED = 6_000
"""The maximum number of characters in an address's list of invoice ids."""
MOST_CHARGE_NAMES_SENT = 500
"""The maximum number of another program's names that one request sets."""
LONGEST_CHARGE_TEXT = 500
"""The maximum number of characters in a custom charge's name."""
MOST_INVOICES_CHOSEN = 5_000
"""The maximum number of invoices that one request names.

A property has no more units than that, and the ids of that many invoices fit in a request's body.
"""
MOST_CHARGES_COMPARED = 5_000
"""The maximum number of charges compared at once.

The body of a request hardly has room for more charges.
"""
MOST_BILL_LINES_SENT = 20
"""The maximum number of lines in a bill that is sent.

It exceeds the number of utility types and unbilled reasons.
"""
MOST_PLACES_SENT = 20
"""The maximum number of places pointed at for one value of a bill."""
LARGEST_PAGE_EDGE = 100_000
"""The maximum edge of a page in points, larger than any printed page."""
MOST_PREVIEWED = 20
"""The maximum number of changes that one preview makes and undoes."""
LONGEST_PREVIEWED_PATH = 200
"""The maximum number of characters in the path of a previewed or batched write."""
MOST_BULK_WRITES = 1_000
"""The maximum number of writes in one batch."""
MOST_BULK_BYTES = 1024 * 1024
"""The maximum number of bytes in a batch (1 MB): a KB for each write."""
WRITES_OF_A_REQUEST = 100
"""The number of a batch's writes that count as one request.

If fewer writes remain, they count as one request together.
"""
MOST_ON_A_PAGE = 100
"""The maximum number of records on a page."""
MOST_WALKED = 1_000
"""The maximum number of records in a list's answer with `after` or `updatedAfter`."""
MOST_PARAMETERS = 50
"""The maximum number of parameters in a query."""
LONGEST_NUMBER = 400
"""The maximum number of characters in one number.

Every double can be written in fewer than 330 characters.
"""
LONGEST_DIGITS = 20
"""The maximum number of digits in a whole number in a query."""
LARGEST_QUANTITY = 10_000_000
"""The largest quantity that a field accepts."""
LARGEST_MONEY = Decimal("9999999999.99")
"""The largest amount that a field accepts: `LARGEST_AMOUNT` in the currency's units."""
LONGEST_IDEMPOTENCY_KEY = 255
"""The maximum number of characters in an `Idempotency-Key`."""
LONGEST_IDEMPOTENT_WAIT = 5
"""The maximum time, in seconds, that a repeated request waits for the first answer."""
MOST_KEYS_REMEMBERED = 10_000
"""The maximum number of API keys remembered between requests."""
LONGEST_WRITE_WAIT = 10.0
"""The maximum time, in seconds, that a write waits before a 503 answer."""
LONGEST_CHECK = 15.0
"""The maximum time, in seconds, for checking a request's key or the server's health.

After this time, the answer is 503. A read waits for less time, so the threads are free again by then.
"""
MOST_WRITES_WAITING = 1_000
"""The maximum number of waiting writes; another one is refused at once."""
LONGEST_ACCEPT_ENCODING = 256
"""The maximum number of bytes in an Accept-Encoding header.

The answer to a request with a longer header isn't compressed.
"""
MOST_HOSTS_REMEMBERED = 256
"""The maximum number of host names remembered, whether ours or not."""
LEAST_BODY_SECONDS = 30.0
"""The time, in seconds, that a client may take to send a small body.

A large body may take longer.
"""
MOST_PROBLEMS_OF_A_WRITE = 3
"""The maximum number of problems listed for one write of a batch.

The error's sentence states the number of the others.
"""
MOST_BYTES_LEFT_OVER = 64 * 1024 * 1024
"""The maximum number of bytes of a body received after the answer (64 MB)."""
LONGEST_LEFT_OVER = 30.0
"""The maximum time, in seconds, for receiving the rest of a body after the answer."""
LONGEST_PAUSE_LEFT_OVER = 5.0
"""The maximum pause, in seconds, in receiving the rest of a body after the answer."""

# --- Forms ------------------------------------------------------------------------------------------------------------

MOST_FORM_BYTES = 256 * 1024
"""The maximum number of bytes in a form without files (256 KB)."""
MOST_FIELDS = 6_000
"""The maximum number of fields in one form.

It suffices for a box for each of a property's units, and some further fields.
"""
MOST_WEIGHTS_FORM_BYTES = MOST_FIELDS * 100
"""The maximum number of bytes in a form with all weights and names of units.

It covers the largest property.
"""
MOST_FORM_PARTS = 200
"""The maximum number of fields and files in a form with files.

It suffices for the files that may be uploaded at once, and some fields.
"""
LONGEST_PART_HEAD = 2_048
"""The maximum number of bytes in a header line of a form's part.

The line contains the field's name and the file's name; a file's name may have 765 bytes.
"""
MOST_HEAD_LINES = 4
"""The maximum number of header lines of a part."""
LARGEST_KEPT_FORM = 400_000
"""The maximum number of characters in a form kept during sign-in.

A form of 256 KiB fits, unless it has many nearly empty fields.
"""
MOST_BYTES_WITH_KEPT_FORM = 512 * 1024
"""The maximum number of bytes in a form that contains a kept form.

It is larger than `LARGEST_KEPT_FORM`, because some characters of the kept form take three bytes.
"""
LONGEST_TICKED = 4_000
"""The maximum number of characters in a list of ticks.

The ids of all records on a page have fewer characters.
"""
MOST_FLAGS = 20
"""The maximum number of a bill's flags.

A bill has at most one flag of each kind, and one for each utility type.
"""
LONGEST_ISSUER_KEY = 1_000
"""The maximum number of characters in the key of an issuer's name.

A key can be longer than its name, because some letters without their accents become several letters.
"""
MOST_LESSONS_FILE_BYTES = 20 * 1024 * 1024
"""The maximum number of bytes in a lessons file with its form (20 MB)."""
MOST_POINTS = 6_000
"""The maximum number of places to point at on a bill.

These are amounts, days, numbers and words.
"""
MOST_POINTED_CHARACTERS = 20_000
"""The maximum number of characters for places pointed at: some 500 places."""
MOST_INVOICE_ITEMS = 60
"""The maximum number of e-invoice items asked about on the document's page.

If an invoice has more items, a person enters the amounts in the bill's form.
"""
LONGEST_SENDERS_LIST = 20_000
"""The maximum number of characters in the typed list of allowed senders."""
LONGEST_SESSION_COOKIE = 128
"""The maximum number of characters in a session's cookie."""
LONGEST_NOTICE = 600
"""The maximum number of characters in the next page's message, sent in a cookie."""
LONGEST_RETURN_ADDRESS = 1_500
"""The maximum number of characters in a page's return address.

If the address with its query is longer, the query is left out.
"""
MOST_WHOLE_DIGITS = 7
"""The maximum number of digits in a whole number in a form."""
MOST_TRUSTED_PEOPLE = 4
"""The maximum number of people for whom one browser is trusted.

If more people sign in with a browser, it is trusted for the latest ones.
"""
LONGEST_TRUSTED_COOKIE = 800
"""The maximum number of characters in a trusted browser's cookie."""
MOST_PAYMENTS_PLAYED = 60
"""The maximum number of test payments from one address in 15 minutes."""

# --- Uploads and downloads --------------------------------------------------------------------------------------------

MOST_UPLOAD_BYTES = 5 * 1024 * 1024
"""The maximum number of bytes in a table uploaded with a browser (5 MB).

A larger table can be imported on the command line.
"""
MOST_UPLOAD_FORM_BYTES = 8 * 1024 * 1024
"""The maximum number of bytes in a form with an uploaded table (8 MB).

A page may contain the table in a packed form, which is up to a third longer than the table.
"""
MOST_INBOX_FILES = 50
"""The maximum number of files uploaded to the Inbox at once."""
MOST_INBOX_FORM_BYTES = 40 * 1024 * 1024
"""The maximum number of bytes in a form with files for the Inbox (40 MB)."""
MOST_LOGO_BYTES = 5 * 1024 * 1024
"""The maximum number of bytes in a form with a logo (5 MB)."""
MOST_ATTACHED_BYTES = 11 * 1024 * 1024
"""The maximum number of bytes in a form with a document, or a bill's attachment (11 MB)."""
MOST_DISPUTE_FORM_BYTES = 11 * 1024 * 1024
"""The maximum number of bytes in a dispute's files and their form (11 MB)."""
MOST_CUT_FORM_BYTES = 64 * 1024 * 1024
"""The maximum number of bytes received of a form with files (64 MB).

Of a form that is too large, the files are dropped, but the typed text can be shown again.
"""
MOST_FILES_SENT_AT_ONCE = 16
"""The maximum number of files that one process makes and sends at once."""
MOST_FILES_SENT_TO_ONE = 4
"""The maximum number of files made and sent at once for one account."""
LONGEST_PIECE = 60.0
"""The maximum time, in seconds, for a client to receive a piece of a download.

A connection slower than 4 KB/s is closed.
"""
LARGEST_DOWNLOAD = 1024 * 1024 * 1024
"""The maximum number of bytes in a generated file (1 GB).

No spreadsheet program opens a file that is larger.
"""

# --- What one page shows ----------------------------------------------------------------------------------------------

MOST_PARALLEL_RUN_PROBLEMS = 20
"""The maximum number of problems shown of a file of former charges."""
MOST_REASONS_SHOWN = 5
"""The maximum number of explanations shown for differences in many months."""
MOST_CHARGE_NAME_PROBLEMS = 5
"""The maximum number of problems shown of a file of names."""
MOST_ENDINGS_SAID = 5
"""The number of imported rules of which the result says what replaces them later."""
MOST_PROPERTY_FILE_PROBLEMS = 100
"""The maximum number of problems shown of a file of properties."""
MOST_PAYMENT_ROWS_SHOWN = 100
"""The maximum number of payment rows of each kind (matched, proposed, unmatched) shown at once.

Further rows are shown once the first ones are recorded.
"""
MOST_TOLD_SHOWN = 100
"""The maximum number of households whose latest announcements a page shows."""
MOST_SHARES_SHOWN = 200
"""The maximum number of units that a preview lists; further units are summed."""
MOST_TABLE_ROWS_SHOWN = 100
"""The maximum number of a table's rows that are shown."""
LONGEST_TABLE_ANSWER = 1_000
"""The maximum number of characters in an answer about a table's column or name."""
MOST_INVOICE_EVENTS_SHOWN = 30
"""The maximum number of history events on an invoice's page; Activity shows the others."""
MOST_MONTHS_DECIDED = 120
"""The maximum number of months whose corrections one request decides."""
MOST_COLUMNS_FORM = 100_000
"""The maximum number of characters in a hidden field about a file's columns or lines."""
LONGEST_RETOLD = 400
"""The maximum number of characters in a stored sentence that a page translates.

A longer sentence stays English.
"""

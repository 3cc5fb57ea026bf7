"""Limits for data from outside: tables, PDFs, pictures, archives, mail, and servers' answers.

Limits needed further inside are in `prorata.domain.limits`, which also defines the term.
"""

from collections.abc import Mapping

# --- Tables and spreadsheets ------------------------------------------------------------------------------------------

MOST_TABLE_BYTES = 50 * 1024 * 1024
"""Bytes of a table on the command line (50 MB)."""
MOST_BILL_ROWS_LOOKED_AT = 20_000
"""Rows of a bills table that is looked at in a browser, whose page judges all of them: 5 s of a processor."""
MOST_CSV_ROWS = 200_000
"""Rows of a CSV file that are not blank."""
MOST_CSV_LINES = 1_100_000
"""The same with blank rows: a spreadsheet program saves 1,048,576 at most."""
MOST_CSV_COLUMNS = 100
"""Columns of a CSV file."""
MOST_WORKBOOK_BYTES = 100 * 1024 * 1024
"""Bytes of a workbook (XLSX, ODS) once it is unpacked (100 MB)."""
MOST_WORKBOOK_PARTS = 1_000
"""Files inside the ZIP that a workbook is."""
MOST_SHEETS = 100
"""Sheets of a workbook."""
MOST_SHEET_ROWS = 200_000
"""Rows of a sheet."""
MOST_SHEET_COLUMNS = 100
"""Columns of a sheet."""
MOST_SHEET_CELLS = 4_000_000
"""Rows times columns of a sheet: an empty cell costs memory like a full one."""
MOST_UNCLEAR_CELLS = 100_000
"""Cells of an ODS sheet without a clear value: a file that has more is no table."""
MOST_SPREADSHEET_ROWS = 1_000_000
"""Rows of a sheet that we write, which can have 1,048,576; those beyond are on the next sheet."""
LONGEST_CELL_FORMAT = 255
"""Characters of the format of a cell, as Excel has it."""

# --- E-invoices -------------------------------------------------------------------------------------------------------

MOST_XML_ELEMENTS = 200_000
"""Elements of an e-invoice: one of 2,000 lines has some 100,000."""
MOST_XML_DEPTH = 40
"""Elements that lie in each other; those of an e-invoice are 10 at most."""
MOST_INVOICE_TAXES = 100
"""Different taxes of an e-invoice, by category and rate."""
LONGEST_XML_TEXT = 2_000
"""Characters of one element that are kept; what follows, as of a file within an e-invoice, is passed over."""
LONGEST_ITEM_NAME = 255
"""Characters of a name within an e-invoice that are kept."""
LONGEST_TAX_NUMBER = 40
"""Characters of the tax number of its seller that are kept."""

# --- PDFs and pictures ------------------------------------------------------------------------------------------------

MOST_PDF_PAGES = 50
"""Pages of a PDF."""
MOST_PAGE_CHARACTERS = 20_000
"""Characters of one page; a closely printed one has some 6,000."""
MOST_PDF_WORDS = 15_000
"""Words of all pages."""
MOST_PDF_ATTACHMENTS = 100
"""Files within a PDF whose names are looked at to find the e-invoice in it."""
LARGEST_PAGE_SIDE = 14_400
"""Points of a page's side: the most that the PDF standard lets one have."""
MOST_PDF_UNPACKED_BYTES = 20_000_000
"""Bytes of packed objects that are searched for scripts; a PDF with more is refused (20 MB)."""
MOST_PAGE_OBJECTS = 50_000
"""Things drawn on a page that are looked at; a page with more counts as a picture."""
MOST_PIXELS: Mapping[str, int] = {"JPEG": 60_000_000, "PNG": 30_000_000}
"""Pixels of a picture. A JPEG is unpacked to less where less is wanted, and a PNG always whole. A page of A4 at 400 dpi
has 15 million.
"""
LONGEST_SHAPE = 10
"""Times the shorter side: a picture that is longer is no page."""
MOST_OCR_PAGES = 10
"""Pages of one file that are read as pictures; what follows them is not read."""
LONGEST_OCR_SIDE = 2_800
"""Pixels of a page as it is read; A4 at 200 dpi has 2,339."""
MOST_OCR_WORDS = 5_000
"""Words of one page that is read as a picture; a closely printed one has some 1,000."""
FEWEST_PIXELS = 200
"""Pixels of the shorter side of a picture, at least: with fewer no word of a page can be told."""
LONGEST_PDF_PASSWORD = 127
"""Bytes of a password that the PDF standard looks at."""
LONGEST_LOGO_SIDE = 700
"""Pixels of the longer side of a logo as it is kept: it is printed at most 60 mm wide."""
FEWEST_LOGO_PIXELS = 32
"""Pixels of its shorter side, at least."""
LONGEST_LOGO_SHAPE = 10
"""Times its shorter side: a picture that is longer is no logo."""
LARGEST_LOGO = 100_000
"""Bytes of a logo as it is kept (100 KB): one that has more, as a photo, is made smaller."""
LONGEST_SHOWN_SIDE = 2_000
"""Pixels of the longer side of a page as it is shown; a larger one is shown smaller."""

# --- Archives ---------------------------------------------------------------------------------------------------------

MOST_ARCHIVE_BYTES = 50 * 1024 * 1024
"""Bytes of an archive (50 MB)."""
MOST_ARCHIVE_FILES = 100
"""Files in one archive; folders and what systems add to it do not count."""
MOST_ARCHIVE_ENTRIES = 1_000
"""Entries in one archive, whatever they are."""
MOST_ARCHIVED_FILE_BYTES = 20 * 1024 * 1024
"""Bytes of one file in it, unpacked (20 MB)."""
MOST_ARCHIVE_UNPACKED_BYTES = 60 * 1024 * 1024
"""Bytes of all of them, what was unpacked of those that are refused among it (60 MB)."""
LARGEST_BACKUP_LIST = 256 * 1024 * 1024
"""Bytes of the list in a backup that says what it holds (256 MB)."""

# --- Mail -------------------------------------------------------------------------------------------------------------

LONGEST_SMTP_LINE = 64 * 1024
"""Bytes of a line that are read at once; mail may have 1,000, and some has more."""
LONGEST_HEAD_FETCHED = 64 * 1024
"""Bytes that are fetched of the head of a message that is too large."""
LONGEST_MAIL_LINE = 78
"""Characters of a line of a message that we write: RFC 5322 section 2.1.1 has 78 where it can be folded, 998 in any
case.
"""
LONGEST_ATTACHMENT_NAME = 60
"""Characters of the name of a file that we attach."""
LONGEST_SMTP_REPLY = 300
"""Characters of a server's reply that are kept."""
MOST_REPORT_BYTES_READ = 1 << 20
"""Bytes of a report that are read; its report comes before the message it quotes."""
MOST_REPORT_PARTS = 40
"""Parts that hold others, or messages, that a report may have."""
MOST_REPORT_PIECES = 200
"""Times that a line which can divide parts may be repeated: each makes a part."""
MOST_REPORT_CHARACTERS = 64 * 1024
"""Characters of the part with the report that are read."""
MOST_REPORT_RECIPIENTS = 50
"""Recipients that a report may tell of."""
LONGEST_DIAGNOSTIC = 300
"""Characters of the reason that a report gives."""
LONGEST_REPORTED_ADDRESS = 320
"""Characters of an address in a report."""
MOST_SIGNATURES = 5
"""Signatures of the sender's domain that are looked at, each with one question to its name servers."""
MOST_DKIM_KEY_BITS = 4096
"""Bits of a key: a longer one takes long to check."""
LARGEST_DKIM_EXPONENT = 1 << 32
"""The exponent of a key."""
LONGEST_DKIM_RECORD = 8_000
"""Characters of the record that holds a key."""
MOST_SIGNED_FIELDS = 200
"""Header fields that a signature covers."""
MOST_DNS_RECORDS = 20
"""Records of a name that are looked at."""
LONGEST_ENCODED_WORD = 75
"""Characters of an encoded word in a header: RFC 2047 section 2."""
LONGEST_SOCKET_PATH = 100
"""Bytes of the name of a socket in the file system: the system takes 108, and fewer elsewhere."""
LEAST_DKIM_KEY_BITS = 1024
"""Bits of a key, at least: a shorter one proves nothing."""

# --- What goes out, and what is answered ------------------------------------------------------------------------------

MOST_PROVIDER_ANSWER_BYTES = 1 << 20
"""Bytes of an answer of a payment provider that are read."""
MOST_ADDRESSES_TRIED = 2
"""Addresses of a webhook's host that are tried."""
MOST_WEBHOOK_ANSWER_BYTES = 64 * 1024
"""Bytes of a receiver's answer that are read; what follows is not."""
MOST_RATE_LIMIT_KEYS = 500_000
"""Keys that may be in use at once under one set of windows; beyond it new keys are answered 503."""
MOST_LOG_LINES_WAITING = 1_000
"""Lines of the log that wait to be written; the next is left out."""
LONGEST_PRINT = 10
"""Seconds that an invoice may take, the start of the process included: some 500 times what one takes."""
LONGEST_JOIN = 30
"""Seconds of a processor that joining PDFs of ours may take: some 20 times what 500 take."""
MOST_JOIN_BYTES = 512 * 1024 * 1024
"""Bytes of memory of the process that joins them (512 MB)."""
LONGEST_PROVIDER_REASON = 200
"""Characters of the reason that a payment provider gives for a refusal."""
SHORTEST_SECRET = 32
"""Characters of the secret that a server is given, at least."""
LARGEST_PACK = 1024 * 1024 * 1024
"""Bytes that the files of a pack that is checked may come to, unpacked (1 GB)."""
MEMORY_TO_CUT = 768 * 1024 * 1024
"""Bytes of memory of the process that cuts a name from a workbook, whose parts it holds several times (768 MB)."""

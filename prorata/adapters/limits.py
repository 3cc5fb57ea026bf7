"""Limits for data from outside: tables, PDFs, pictures, archives, mail and servers' answers.

Limits that the domain needs too are in `prorata.domain.limits`, which also explains what counts as a limit.
"""

from collections.abc import Mapping

# --- Tables and spreadsheets ------------------------------------------------------------------------------------------

MOST_TABLE_BYTES = 50 * 1024 * 1024
"""The maximum number of bytes of a table on the command line (50 MB)."""
MOST_BILL_ROWS_LOOKED_AT = 20_000
"""The maximum number of rows of a bills table in a browser.

Its page checks all of them, which takes 5 s of a processor.
"""
MOST_CSV_ROWS = 200_000
"""The maximum number of rows of a CSV file that are not blank."""
MOST_CSV_LINES = 1_100_000
"""The maximum number of rows of a CSV file, blank ones included.

A spreadsheet program saves at most 1,048,576 rows.
"""
MOST_CSV_COLUMNS = 100
"""The maximum number of columns of a CSV file."""
MOST_WORKBOOK_BYTES = 100 * 1024 * 1024
"""The maximum number of bytes of an unpacked workbook (XLSX, ODS; 100 MB)."""
MOST_WORKBOOK_PARTS = 1_000
"""The maximum number of files inside the ZIP of a workbook."""
MOST_SHEETS = 100
"""The maximum number of sheets of a workbook."""
MOST_SHEET_ROWS = 200_000
"""The maximum number of rows of a sheet."""
MOST_SHEET_COLUMNS = 100
"""The maximum number of columns of a sheet."""
MOST_SHEET_CELLS = 4_000_000
"""The maximum number of cells of a sheet: rows times columns.

An empty cell takes as much memory as a full one.
"""
MOST_UNCLEAR_CELLS = 100_000
"""The maximum number of cells of an ODS sheet without a clear value.

A file with more is no table.
"""
MOST_SPREADSHEET_ROWS = 1_000_000
"""The maximum number of rows of a sheet that Prorata writes.

Further rows go to the next sheet; a sheet can have 1,048,576 rows.
"""
LONGEST_CELL_FORMAT = 255
"""The maximum number of characters of a cell's format, as in Excel."""

# --- E-invoices -------------------------------------------------------------------------------------------------------

MOST_XML_ELEMENTS = 200_000
"""The maximum number of elements of an e-invoice.

An invoice with 2,000 lines has some 100,000 elements.
"""
MOST_XML_DEPTH = 40
"""The maximum depth of nested XML elements; an e-invoice has at most 10."""
MOST_INVOICE_TAXES = 100
"""The maximum number of different taxes of an e-invoice, by category and rate."""
LONGEST_XML_TEXT = 2_000
"""The maximum number of characters of one XML element's text that are kept.

Further characters, such as those of a file within an e-invoice, are ignored.
"""
LONGEST_ITEM_NAME = 255
"""The maximum number of characters of a name in an e-invoice that are kept."""
LONGEST_TAX_NUMBER = 40
"""The maximum number of characters of the seller's tax number that are kept."""

# --- PDFs and pictures ------------------------------------------------------------------------------------------------

MOST_PDF_PAGES = 50
"""The maximum number of pages of a PDF."""
MOST_PAGE_CHARACTERS = 20_000
"""The maximum number of characters of one page; a closely printed page has about 6,000."""
MOST_PDF_WORDS = 15_000
"""The maximum number of words of all pages."""
MOST_PDF_ATTACHMENTS = 100
"""The maximum number of files within a PDF whose names are searched for an e-invoice."""
LARGEST_PAGE_SIDE = 14_400
"""The maximum length of a page's side in points, as in the PDF standard."""
MOST_PDF_UNPACKED_BYTES = 20_000_000
"""The maximum number of bytes of packed objects that are searched for scripts (20 MB).

A PDF with more is refused.
"""
LARGEST_EMPTY_PICTURE = 3_000
"""The maximum number of stored bytes of a full-page picture that counts as empty.

The picture of a letterhead has more bytes.
"""
MOST_PAGE_OBJECTS = 50_000
"""The maximum number of objects drawn on a page that are examined.

A page with more counts as a picture.
"""
MOST_PIXELS: Mapping[str, int] = {"JPEG": 60_000_000, "PNG": 30_000_000}
"""The maximum number of pixels of a picture, by format.

A JPEG can be unpacked to a smaller size, but a PNG only completely. A page of A4 at 400 dpi has 15 million pixels.
"""
LONGEST_SHAPE = 10
"""The largest ratio of a page's sides; other pictures are no pages."""
MOST_OCR_PAGES = 10
"""The maximum number of pages of one file that are read as pictures.

Later pages are not read.
"""
LONGEST_OCR_SIDE = 2_800
"""The maximum number of pixels of a page's side for OCR; A4 at 200 dpi has 2,339."""
MOST_OCR_WORDS = 5_000
"""The maximum number of words of one page read by OCR.

A closely printed page has some 1,000 words.
"""
FEWEST_PIXELS = 200
"""The minimum number of pixels of a picture's shorter side.

With fewer pixels, no word of a page is legible.
"""
LONGEST_PDF_PASSWORD = 127
"""The maximum number of bytes of a password that the PDF standard uses."""
LONGEST_LOGO_SIDE = 700
"""The maximum number of pixels of a stored logo's longer side.

It is printed at most 60 mm wide.
"""
FEWEST_LOGO_PIXELS = 32
"""The minimum number of pixels of a logo's shorter side."""
LONGEST_LOGO_SHAPE = 10
"""The largest ratio of a logo's sides; other pictures are no logos."""
LARGEST_LOGO = 100_000
"""The maximum number of bytes of a stored logo (100 KB).

A larger logo, such as a photo, is reduced in size.
"""
LONGEST_SHOWN_SIDE = 2_000
"""The maximum number of pixels of a displayed page's longer side; a larger page is reduced."""

# --- Archives ---------------------------------------------------------------------------------------------------------

MOST_ARCHIVE_BYTES = 50 * 1024 * 1024
"""The maximum number of bytes of an archive (50 MB)."""
MOST_ARCHIVE_FILES = 100
"""The maximum number of files in one archive, without folders and files that systems add."""
MOST_ARCHIVE_ENTRIES = 1_000
"""The maximum number of entries of any kind in one archive."""
MOST_ARCHIVED_FILE_BYTES = 20 * 1024 * 1024
"""The maximum number of bytes of one unpacked file in an archive (20 MB)."""
MOST_ARCHIVE_UNPACKED_BYTES = 60 * 1024 * 1024
"""The maximum number of bytes of all unpacked files of an archive, refused ones included (60 MB)."""
LARGEST_BACKUP_LIST = 256 * 1024 * 1024
"""The maximum number of bytes of the list of contents in a backup (256 MB)."""

# --- Mail -------------------------------------------------------------------------------------------------------------

LONGEST_SMTP_LINE = 64 * 1024
"""The maximum number of bytes of a line of mail that are read at once.

A line may have 1,000 bytes by the standard, but some mail has longer lines.
"""
LONGEST_HEAD_FETCHED = 64 * 1024
"""The maximum number of bytes fetched from the head of a message that is too large."""
LONGEST_MAIL_LINE = 78
"""The maximum number of characters of a line in a message that Prorata writes.

RFC 5322 section 2.1.1 allows 78 if the line can be folded, and 998 in any case.
"""
LONGEST_ATTACHMENT_NAME = 60
"""The maximum number of characters in the name of a file that Prorata attaches."""
LONGEST_SMTP_REPLY = 300
"""The maximum number of characters of a server's reply that are kept."""
MOST_REPORT_BYTES_READ = 1 << 20
"""The maximum number of bytes of a report that are read.

This is enough, because the report itself precedes the message that it quotes.
"""
MOST_REPORT_PARTS = 40
"""The maximum number of parts of a report that contain other parts or messages."""
MOST_REPORT_PIECES = 200
"""The maximum number of lines with which a report may divide its parts.

Each such line begins another part.
"""
MOST_REPORT_CHARACTERS = 64 * 1024
"""The maximum number of characters that are read of the part with the report."""
MOST_REPORT_RECIPIENTS = 50
"""The maximum number of recipients of a report that are read."""
LONGEST_DIAGNOSTIC = 300
"""The maximum number of characters of the reason that a report gives."""
LONGEST_REPORTED_ADDRESS = 320
"""The maximum number of characters of an address in a report."""
MOST_SIGNATURES = 5
"""The maximum number of signatures of the sender's domain that are checked.

Each check takes one query to the domain's name servers.
"""
MOST_DKIM_KEY_BITS = 4096
"""The maximum number of bits of a DKIM key; longer keys take too long."""
LARGEST_DKIM_EXPONENT = 1 << 32
"""The largest exponent of a DKIM key."""
LONGEST_DKIM_RECORD = 8_000
"""The maximum number of characters of the DNS record that contains a DKIM key."""
MOST_SIGNED_FIELDS = 200
"""The maximum number of header fields that a DKIM signature may cover."""
MOST_DNS_RECORDS = 20
"""The maximum number of DNS records of a name that are examined."""
LONGEST_ENCODED_WORD = 75
"""The maximum number of characters of an encoded word in a header (RFC 2047 section 2)."""
LONGEST_SOCKET_PATH = 100
"""The maximum number of bytes in the name of a Unix socket.

Linux accepts 108 bytes, and other systems fewer.
"""
LEAST_DKIM_KEY_BITS = 1024
"""The minimum number of bits of a DKIM key; a shorter key proves nothing."""

# --- What goes out, and what is answered ------------------------------------------------------------------------------

MOST_PROVIDER_ANSWER_BYTES = 1 << 20
"""The maximum number of bytes that are read of a payment provider's answer."""
MOST_ADDRESSES_TRIED = 2
"""The maximum number of addresses of a webhook's host that are tried."""
MOST_WEBHOOK_ANSWER_BYTES = 64 * 1024
"""The maximum number of bytes of a webhook receiver's answer that are read."""
MOST_RATE_LIMIT_KEYS = 500_000
"""The maximum number of rate limit keys in use at once, by set of limits.

Requests with further keys are answered with the status 503.
"""
MOST_LOG_LINES_WAITING = 1_000
"""The maximum number of log lines that wait to be written; further lines are left out."""
LONGEST_PRINT = 10
"""The maximum number of seconds for printing an invoice, including the process's start.

This is about 500 times the usual time.
"""
LONGEST_JOIN = 30
"""The maximum number of seconds of processor time for joining PDFs.

This is about 20 times the time that 500 PDFs take.
"""
MOST_JOIN_BYTES = 512 * 1024 * 1024
"""The maximum number of bytes of memory of the process that joins PDFs (512 MB)."""
LONGEST_PROVIDER_REASON = 200
"""The maximum number of characters of a payment provider's reason for a refusal."""
SHORTEST_SECRET = 32
"""The minimum number of characters of a server's secret."""
LARGEST_PACK = 1024 * 1024 * 1024
"""The maximum number of bytes of all unpacked files of a pack that is checked (1 GB)."""
MEMORY_TO_CUT = 768 * 1024 * 1024
"""The maximum number of bytes of memory for cutting a name from a workbook (768 MB).

The process holds several copies of the workbook's parts.
"""
SECONDS_TO_CUT, LONGEST_CUT = 40, 50.0
"""The maximum processor time and elapsed time for cutting a name from a workbook.

Both are in seconds.

PostgreSQL waits longer than that within a transaction.
"""

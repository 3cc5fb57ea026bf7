"""Constants for a page's lines: the alignment tolerance, and the pattern of words."""

import re

LONGEST_HEADING = 7
"""The maximum number of words in a heading."""
LETTERS = re.compile(r"[^\W\d_]{2,}")
"""The pattern of words that consist of letters."""
ALIGNED = 60
"""The maximum difference between the edges of one column, in tenths of a point."""

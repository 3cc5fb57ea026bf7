"""Constants for a page's lines: the alignment tolerance, and the pattern of words."""

import re

LONGEST_HEADING = 7
"""Words that a heading has at most."""
LETTERS = re.compile(r"[^\W\d_]{2,}")
"""What makes words of letters."""
ALIGNED = 60
"""Tenths of a point by which edges of one column differ at most."""

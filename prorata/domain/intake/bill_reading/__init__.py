"""Reading a utility bill: from words and positions to a draft with places and certainty.

Nothing here guesses. A value is `found` when two independent grounds agree (a label and the arithmetic, or a label and
the only value where it points); for everything else, a person is asked.
"""

"""Reading a utility bill: from words and positions to a draft with places and certainty.

Nothing here guesses. A value is `found` when two independent grounds agree (a label and the arithmetic, a label and the
only value where it points); everything else is asked of a person.
"""

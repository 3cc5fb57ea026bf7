"""Reading a utility bill: from words and positions to a draft with places and certainty.

Nothing here guesses. A value is `found` when two independent grounds agree: its label and the arithmetic, or its
label and the fact that no other value can belong to that label. For everything else, a person is asked.
"""

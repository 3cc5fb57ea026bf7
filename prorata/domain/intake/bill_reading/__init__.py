"""Reading a utility bill: its words and their positions become a draft for confirmation.

The draft says where on the page each value is and how certain it is. Nothing here guesses. A value is `found` when
it has two independent grounds: its label and the arithmetic, or its label and the absence of any other value that
could belong to the label. For everything else, a person is asked.
"""

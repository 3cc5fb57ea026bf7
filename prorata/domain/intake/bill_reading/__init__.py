"""Reading a utility bill: words and where they stand, to a draft that says of each value where it is and how sure.

Nothing here guesses. A value is `found` when two grounds that do not depend on each other agree (a label and the
arithmetic, a label and the only value that stands where it points); everything else is asked of a person.
"""

"""All of Prorata's SQL; other packages read and write accounts' records only through it.

Statements concern one account, except those that find an account, or are for a worker or the operator.
"""

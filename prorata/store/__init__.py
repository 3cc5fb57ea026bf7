"""SQL of every area of the product; no other package reads or writes accounts' rows.

Every statement is limited to one account, except where its docstring says otherwise.
"""

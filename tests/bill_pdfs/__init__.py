"""Realistic utility bills as PDF files, with the facts that are true of each.

A seed determines the facts, a locale the words, and a name the layout.
"""

"""Realistic utility bills as PDF, with what is true of each: facts drawn by a seed, words by locale, layouts by name."""

"""Small faults put into the money core, one at a time, to see that its tests notice."""

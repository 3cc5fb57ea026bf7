"""Files for other programs: the outside things."""

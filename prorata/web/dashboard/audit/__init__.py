"""Evidence packs: the pages."""

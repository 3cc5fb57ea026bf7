"""The API of files that are made to be handed out."""

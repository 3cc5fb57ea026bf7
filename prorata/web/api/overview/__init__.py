"""The API of the tasks that need attention, and of previews."""

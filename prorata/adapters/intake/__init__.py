"""Libraries and formats for reading, drafting, confirming and importing files with bills."""

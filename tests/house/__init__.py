"""The rules about the code. Each is a function from sources to a list of offences, and each is proved to bite."""

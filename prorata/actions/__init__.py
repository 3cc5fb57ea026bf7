"""The verbs: each loads, asks the domain, saves; one request or job step is one action in one transaction."""

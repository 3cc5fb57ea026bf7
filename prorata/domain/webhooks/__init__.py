"""Events, and the webhooks that receive them: the rules."""

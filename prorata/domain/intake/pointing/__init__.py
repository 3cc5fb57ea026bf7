"""Bills read by what a person pointed at on an earlier one of the issuer: where values stand, beside which words."""

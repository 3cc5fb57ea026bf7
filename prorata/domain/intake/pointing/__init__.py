"""Bills read by the places that a person pointed at on the issuer's earlier ones."""

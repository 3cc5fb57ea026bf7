"""Reading of bills by the places that a person marked on the issuer's earlier bills."""

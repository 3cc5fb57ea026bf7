"""E-invoices: what their XML says, whether its sums agree, and the draft of a bill that comes of it."""

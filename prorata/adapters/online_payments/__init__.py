"""The APIs of payment providers: making payment links, and reading reports of payments."""

"""The rules of incoming mail with bills."""

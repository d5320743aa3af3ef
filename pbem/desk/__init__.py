"""The desk: one letter, one transaction, one commit. What a crash leaves after each step: `router`, `commit`."""

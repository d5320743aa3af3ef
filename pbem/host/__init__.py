"""A host and its people: settings, passwords, keys, seats and their holders, achievements, the clock."""

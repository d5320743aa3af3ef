"""A position as plain values: dice, places, pieces, orders, the state, its tables, and single values put right."""

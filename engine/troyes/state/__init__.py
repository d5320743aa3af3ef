"""A position as plain values: dice, places, orders, the state, its stored form."""

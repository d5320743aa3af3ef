"""A position of Troyes Dice as plain values: dice, orders, its tables, and repairs of single values."""

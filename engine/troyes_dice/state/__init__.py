"""A position of Troyes Dice as plain values: dice, orders, its tables, and single values put right."""

"""What one seat does in a half day of Troyes Dice, with all it brings; set-up, scoring and invariants."""

"""Orders open to a seat in Troyes Dice: every legal one, and the short list of options."""

"""What is open to a seat in Troyes Dice: every legal order, and the short list of options."""

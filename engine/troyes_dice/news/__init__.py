"""What happened in a game of Troyes Dice, in sentences for one reader."""

"""Rule tests of Troyes Dice as data: laid out, played, compared."""

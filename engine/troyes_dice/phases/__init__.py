"""The half days of Troyes Dice: who is asked, what is sealed, and what happens between."""

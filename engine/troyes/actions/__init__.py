"""What a seat can do, each checked and carried out on a state; an action may refuse anywhere."""

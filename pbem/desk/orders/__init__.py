"""One letter against the position: what its lines are, what they play, and what is asked back of them."""

"""What is open to a seat: every legal order (`legal`), and the short ranked list of options (`options`)."""

"""Time, as pure functions: paces, people's hours, what is due when. Nothing here reads a clock, a file or a mail."""

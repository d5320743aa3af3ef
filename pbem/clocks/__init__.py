"""Time, as pure functions: paces, people's hours, what is due when. No clock, no file, no mail is known here."""

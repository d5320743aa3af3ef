"""How the house is extended, shown by doing it: each test adds something whole and uses it as a player would."""

"""What several commands share; no command lies here. `call` and `console` import nothing heavy."""

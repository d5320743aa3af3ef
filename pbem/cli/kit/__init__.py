"""What several commands share; no command lies here. `call` and `paper` import nothing heavy."""

"""What several commands share; no command lies here. `call` and `paper` are light, `stored` and `services` are not."""

"""Mail over real sockets: the adapters, the local post office, Dovecot and Postfix. Loopback only."""

"""Tables: opening them, seating people, and telling those who follow."""

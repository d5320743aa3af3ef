"""What can happen in Troyes: one class for each kind of event, with what it says and what it does to a state.

Kinds are never renamed once released. Only events change a state, but for what is pending. Positions share what lies on
the table (`TroyesState.fork`), so an event replaces what it changes.
"""

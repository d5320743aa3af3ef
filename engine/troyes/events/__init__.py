"""What can happen in Troyes: one class a kind of entry, with what it says and what it does to a state.

Kinds are never renamed once released. This is the only code that changes a state, but for what is pending.
Positions share all that lies on the table (`TroyesState.fork`): a fact puts what it changes there anew.
"""

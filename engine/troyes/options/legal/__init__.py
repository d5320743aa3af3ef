"""Orders that are open to a seat: all of them, lazily, or some picked by a stream of numbers.

Whatever comes out of here is accepted by `read` and `apply`: each candidate is walked on a copy of the state before it
is offered, with a chance that refuses to roll, so nothing can be learnt from looking.
"""

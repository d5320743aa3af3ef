"""What is open to a seat: every legal order (`legal_orders`), some at random, and a short ranked list (`offers`).

Every order that comes out of here was tried on a copy of the position, with a chance that refuses to roll: the parser
and `apply` accept it, and nothing can be learnt from looking. Options are ranked by the points they promise
(`estimate`).
"""

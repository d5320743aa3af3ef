"""What every game needs and none should write twice: a box of facts, words, lines, rolls, entries folded, repairs.

The kit knows no game and no rule. `plain` brings dataclasses to plain data and back; `words` holds the one way to
compare what people type; `box` is the data of cards with its corrections and proof sheet; `rolls` and `folding` play
and fold entries; `edits` puts positions right; `cases` runs rule positions; `sampling` picks by numbers.
"""

"""What every game needs and none should write twice: a box of facts, words, lines, rolls, entries folded, repairs.

The kit knows no game and no rule. `plain` brings dataclasses to plain data and back; `words` holds the one way to
compare what people type; `cursor` reads a line word by word; `fields`, `corrections`, `proof` and `tables` are a box;
`rolls` and `folding` play and fold entries; `edits` puts positions right; `cases` runs rule positions; `sampling`
picks by numbers.
"""

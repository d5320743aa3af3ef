"""What every game needs and none should write twice; the kit knows no game and no rule.

`plain` turns dataclasses into plain data and back; `words` compares what people type; `box` holds the data of cards
with its corrections and proof sheet; `rolls`, `facts` and `folding` play, record and fold; `edits` repairs positions;
`cases` runs rule positions; `cover` and `nearness` help to read a line; `sampling` picks by numbers.
"""

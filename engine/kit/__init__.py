"""What every game needs and none should write twice; the kit knows no game and no rule.

`codec` turns dataclasses into plain data and back; `words` compares what people type; `card_data` holds the data of
cards with its corrections and proof sheet; `rolls`, `events` and `transaction` play, record and fold; `edits` repairs
positions; `cases` runs rule positions; `cover` and `suggest` help to read a line; `sampling` picks by numbers.
"""

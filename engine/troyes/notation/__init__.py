"""The order language of Troyes: reading a line against the position, and writing the canonical line and the title.

`read(write(order)) == order` and `read(title(order)) == order` for every legal order. Words of both languages are
accepted from anybody; no word means two things.
"""

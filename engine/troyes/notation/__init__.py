"""The order language of Troyes: parsing a line in a position, and writing the canonical line and the title.

`parse_order(write_order(order)) == order` and `parse_order(order_title(order)) == order` for every legal order. Words
of both languages are accepted from anybody, and no word means two things.
"""

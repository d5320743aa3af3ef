"""Suggestions for a refused line: legal orders near to it.

What a line says (`line_parts`) is compared with what an order says (`similarity.OrderParts`), or must be covered by it
exactly (`cover`). Everything here uses the position as the seat sees it, and is bounded by counts.
"""

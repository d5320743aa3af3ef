"""Legal orders nearest to a refused line: what a line says (`line`) is compared with what an order says (`parts`).

Everything here reads the position as the seat sees it, and is bounded by counts.
"""

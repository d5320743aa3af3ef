"""The cards, events, characters and board of Troyes as data, with their names, texts and house rules.

The tables beside this module hold each number with how sure it is. Nothing here knows how a game is played.
"""

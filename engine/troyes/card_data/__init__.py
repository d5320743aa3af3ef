"""The card box of Troyes: cards, events, characters and board as facts, their words, texts and house rules.

The tables beside this module hold the numbers with how sure each is; nothing here knows how a game is played.
"""

"""Where games lie: one git repository per game, and the spool of letters and mails beside them.

Nothing is imported here: libgit2 takes longer to load than most commands take to run.
"""

"""A simulated month: the real daemon, desk, spool and post office on a simulated clock, with promises checked by code."""

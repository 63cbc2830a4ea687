"""The one kind of error that is meant for the user's eyes."""


class Problem(Exception):
    """Something is wrong with the input, the machine or the run: one sentence, what and where."""

"""Objects that many clients use at the same time at several servers, for the judge.

`work.py` has the clients. Each other file has the objects of a model of `chaos/judge/models.go`.

The rule: a call that was not refused by its meaning, such as one that timed out, may have been
executed. So it is in the history, without an answer.
"""

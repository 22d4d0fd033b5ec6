"""Models of the mechanisms on which the promises of Keystead rest, in Promela.

`make proofs` has Spin search all states of each model, and again without each of its guards: then
it must find the broken promise. docs/proofs.md describes the models.

The rule: a model has the conditions of the code and nothing that the code does not have. A change
of a mechanism changes its model first.
"""

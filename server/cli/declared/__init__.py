"""Commands that follow from the schema: `table.py` names a method for each, the rest is derived.

`form.py` makes arguments and options from the fields of the request, and `wording.py` their help
texts from the comments of the schema. `command.py` calls the method of the service, which
`services.py` makes, in this process and as the operator. `results.py` prints the response.

The rule: a field that is added to the schema needs no line here.
"""

"""The attributes that an organization declares for its users, and the checks of their values.

RPCs: CreateAttributeDefinition, GetAttributeDefinition, ListAttributeDefinitions,
PatchAttributeDefinition, RemoveAttributeDefinition.

The rule: name and type of a definition never change, and its ID is never used again, so a value
that was checked once stays right. Values are stored with their user, by the ID of the definition; a
value without a definition is not shown.
"""

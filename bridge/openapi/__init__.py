"""The OpenAPI 3.1 document, made from the schema, its comments and the limits of commands."""

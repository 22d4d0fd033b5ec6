"""Makes the OpenAPI 3.1 document from the schema, its comments and the limits of commands."""

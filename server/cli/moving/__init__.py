"""`keystead import`, `migrate` and `export`: users as NDJSON, lines of the message of the API."""

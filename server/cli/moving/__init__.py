"""`keystead import`: users move as NDJSON, a line for each, which is the message of the API."""

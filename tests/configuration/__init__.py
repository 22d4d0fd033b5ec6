"""`keystead plan`, `apply` and `export configuration`."""

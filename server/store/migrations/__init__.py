"""The schema, one file a version: `NNNN_title.sql`. A file that has landed is never edited."""

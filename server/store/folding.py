"""Text regardless of case, in SQL: the same in every locale that a database can have."""


def folded(text: str) -> str:
    """The key that texts share which differ in case or Unicode form only; an SQL expression.

    Of the functions that fold case, `lower` alone is in PostgreSQL 15. It has no effect on letters
    beyond ASCII in a database of the locale C, so it gets a collation of its own. Keys compare by
    bytes. The indexes of users' addresses have the same expression.
    """
    return f'(lower(normalize({text}, nfkc) collate case_folding) collate "C")'

"""The existence of organizations, in statements that write rows of one.

An organization has a row in `unique_claims`, which its removal locks and deletes. Foreign keys
would check the same, but not while a rebuild replays the log in another order.

The rule: a statement that writes a row with an owner contains one of these, unless its transaction
has locked the organization, or a user or another object of it. So do all that write mails.
"""


def of_existing(owner: str) -> str:
    """A `from` clause with one row if the organization of this expression exists.

    It cannot be removed before the transaction ends.
    """
    return f"""
    from unique_claims as home
    where home.kind = 'organization_name' and home.aggregate_id = {owner} for key share"""


def stays(owner: str) -> str:
    """A condition: the organization of this expression exists, and cannot be removed as above."""
    return f"""exists (
        select from (
            select from unique_claims as home
            where home.kind = 'organization_name' and home.aggregate_id = {owner} for key share
        ) as kept)"""  # noqa: S608 -- an expression of a store

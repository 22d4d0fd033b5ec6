"""The table `mail_budgets`: admission control of mail by address.

A budget admits at most `hourly_limit` mails in any hour, a quarter of them at once; further mails
wait. The algorithm is GCRA (ITU-T I.371, virtual scheduling), with one row per budget and one
atomic upsert. Mails delayed by an outage of the SMTP server may be sent together. A cancelled mail
gives its turn back; the due times of other mails stay.

A budget belongs to a scope and an address. A link takes a turn of its user's organization, and is
refused if it would wait for more than an hour, or until it expires. A recovery link, which any
client can request, takes a turn of a separate budget and never returns it. A notice may be the
only sign of an attack, so it takes a turn of its user's own budget and waits for at most one
interval (an hour if the limit is 1).
"""

from server.access.user_aggregate import address_key
from server.store.statement import statement

# The time between two mails once the burst is spent: `hourly_limit` mails, burst included, fit
# into any one hour.
_INTERVAL = "interval '1 hour' / (:hourly_limit::int - greatest(1, :hourly_limit::int / 4) + 1)"

# How long before its theoretical arrival a mail may be due. This allows a burst.
_TOLERANCE = f"{_INTERVAL} * (greatest(1, :hourly_limit::int / 4) - 1)"

# The longest wait of a link, which is useless after `holds_until` (null: it does not expire).
_LONGEST_WAIT = "least(interval '1 hour', :holds_until::timestamptz - clock_timestamp())"


def _take(addresses: str, longest_wait: str) -> str:
    """Takes a turn of each of the addresses, a query, at most this long after now."""
    return f"""
    insert into mail_budgets as budget (scope_id, address, theoretical_arrival_at)
    select :scope_id::text, address, clock_timestamp() + {_INTERVAL}
    from ({addresses}) as addresses
    on conflict (scope_id, address) do update set theoretical_arrival_at = {_INTERVAL}
        + least(greatest(budget.theoretical_arrival_at, clock_timestamp()),
            clock_timestamp() + {longest_wait} + {_TOLERANCE})"""


# When the mail is due.
_EARLIEST = f"theoretical_arrival_at - {_INTERVAL} - {_TOLERANCE} as earliest"

# Takes a turn for a link to each `address_key` of the relation `given`, in their order; `turn` is
# the time to give back. Returns no row if the mail would wait for too long.
TAKE = f"""{
    _take("select distinct address_key as address from given order by address", _LONGEST_WAIT)
}
    where budget.theoretical_arrival_at - {_TOLERANCE} <= clock_timestamp() + {_LONGEST_WAIT}
    returning address, {_EARLIEST},
        tstzrange(theoretical_arrival_at - {_INTERVAL}, theoretical_arrival_at) as turn"""

_ADDRESS = f"select {address_key(':address::text')} as address"

# Takes a turn for a notice, which is never refused.
TAKE_FOR_NOTICE = f"{_take(_ADDRESS, _INTERVAL)} returning {_EARLIEST}"

# Gives back the unused turns of untried links in `cancelled`. The budgets are locked in no order:
# at most one such mail of a user waits, since a new link or address cancels the previous mail.
GIVE_BACK = f"""
    update mail_budgets as budget
    set theoretical_arrival_at = budget.theoretical_arrival_at - unspent.time
    from (
        select {address_key("recipient_address")} as address,
            sum(greatest(interval '0', upper(turn) - greatest(lower(turn), clock_timestamp())))
                as time
        from cancelled where attempts = 0 and turn is not null
        group by 1
    ) as unspent
    where budget.scope_id = :scope_id and budget.address = unspent.address"""

# The time until refused links would be admitted, by address. It is exact, because the refused
# upsert has locked the rows.
RETRY_AFTER = statement(f"""
select given.address, greatest(interval '0', theoretical_arrival_at - {_TOLERANCE} - {_LONGEST_WAIT}
    - clock_timestamp()) as retry_after
from unnest(:addresses::text[]) as given (address) join mail_budgets as budget
    on budget.scope_id = :scope_id and budget.address = {address_key("given.address")}""")

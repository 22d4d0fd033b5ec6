"""The table `mail_budgets`: how much mail there is for an address, and which has to wait for which.

For any hour `hourly_limit` mails of a budget are due at most, a quarter of them at once; further
ones wait for their turn. That is GCRA (ITU-T I.371, virtual scheduling): one row a budget, moved on
by one atomic upsert. What an outage of the SMTP server has held up may come together, and so may
what is written after a mail that waited was cancelled: its turn is given back, and nobody else's is
moved.

Whose budget a mail takes decides whom it may delay. A link takes that of its user's organization
for the address, and is refused where it would wait for too long, or until it has expired. A notice
may be the only sign of an attack, so it takes that of its user, which nobody else's mail touches,
and it waits for one interval at most, for an hour where the limit is 1.
"""

# A caller is told at once that an address gets too much, or that a link would come too late.
_LONGEST_WAIT = "interval '1 hour'"


def _emission_interval(hourly_limit: str) -> str:
    """Between two mails once the burst is spent: so many, burst included, fit into any one hour."""
    return f"interval '1 hour' / ({hourly_limit} - greatest(1, {hourly_limit} / 4) + 1)"


def _tolerance(hourly_limit: str) -> str:
    """How much ahead of its theoretical arrival a mail may come: what lets a burst pass."""
    return f"{_emission_interval(hourly_limit)} * (greatest(1, {hourly_limit} / 4) - 1)"


def _longest_wait(holds_until: str) -> str:
    """For a link, which is good for nothing afterwards; null: it does not say."""
    return f"least({_LONGEST_WAIT}, {holds_until} - clock_timestamp())"


def _key(address: str) -> str:
    """The address as a budget is kept for it: spellings that are stored apart share one.

    Addresses are in normal form when they are stored (`mail_address.py`), but for the case of the
    part before the @, and for those of releases before that.
    """
    return f"lower(normalize({address}, nfkc))"


def take(*, hourly_limit: str, is_notice: bool, holds_until: str) -> str:
    """The statement that takes a turn for each row scope_id, address of `mail_receiver`.

    It gives `earliest`, when the mail is due, and `turn`, what is to be given back; no row where
    it would have to wait for too long. A notice waits for less then.
    """
    interval, tolerance = _emission_interval(hourly_limit), _tolerance(hourly_limit)
    longest_wait = interval if is_notice else _longest_wait(holds_until)
    admitted = f"budget.theoretical_arrival_at - {tolerance} <= clock_timestamp() + {longest_wait}"
    return f"""
    insert into mail_budgets as budget (scope_id, address, theoretical_arrival_at)
    select scope_id, {_key("address")}, clock_timestamp() + {interval} from mail_receiver
    on conflict (scope_id, address) do update set theoretical_arrival_at = {interval}
        + least(greatest(budget.theoretical_arrival_at, clock_timestamp()),
            clock_timestamp() + {longest_wait} + {tolerance})
    where {"true" if is_notice else admitted}
    returning theoretical_arrival_at - {interval} - {tolerance} as earliest,
        tstzrange(theoretical_arrival_at - {interval}, theoretical_arrival_at) as turn"""


# What is left of the turns of the links of `mails_ended` that nobody has tried yet. The budgets are
# locked in no order: of a user one such mail at most waits, since a new link ends the one before,
# and so does a new address.
GIVE_BACK = f"""
    update mail_budgets as budget
    set theoretical_arrival_at = budget.theoretical_arrival_at - unspent.time
    from (
        select users.owner as scope_id, {_key("recipient_address")} as address,
            sum(greatest(interval '0', upper(turn) - greatest(lower(turn), clock_timestamp())))
                as time
        from mails_ended join users on users.id = mails_ended.user_id
        where attempts = 0 and turn is not null
        group by 1, 2
    ) as unspent
    where budget.scope_id = unspent.scope_id and budget.address = unspent.address"""

# $1 user, $2 address, $3 hourly limit, $4 until when it holds: for how long a link is refused. The
# refused upsert has locked the row, so this is exact.
RETRY_AFTER = f"""
select greatest(interval '0', theoretical_arrival_at - {_tolerance("$3::int")}
    - {_longest_wait("$4::timestamptz")} - clock_timestamp()) as retry_after
from mail_budgets join users on users.owner = scope_id
where users.id = $1 and address = {_key("$2::text")}"""

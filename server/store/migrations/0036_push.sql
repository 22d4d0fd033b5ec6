-- compatible since: 21
-- Projections: subscriptions, and the secrets that sign their webhooks, without the secrets themselves.
create table push_subscriptions (
    id            text collate "C" primary key,
    owner         text collate "C" not null,
    name          text             not null,
    url           text             not null,
    -- Empty: all.
    event_types   text[]           not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null
);
create index push_subscriptions_owner on push_subscriptions (owner, id);

create table push_secrets (
    subscription_id text collate "C" not null references push_subscriptions (id) on delete cascade,
    secret_id       text collate "C" not null,
    kind            text             not null,
    public_key      text             not null,
    creation_date   timestamptz      not null,
    primary key (subscription_id, secret_id)
);

-- The tables below are no projections, and have no foreign keys to these: a rebuild leaves them alone.

-- One row: the position in the log up to which all deliveries have been written.
create table push_position (
    position bigint not null
);
insert into push_position select position from last_event_position;

-- The subscriptions whose addition has been read from the log. The others get no events yet, and these none before it.
create table push_started (
    subscription_id text collate "C" primary key
);

-- The targets of deliveries: subscriptions, and applications that get logout tokens.
create table push_targets (
    target_id    text collate "C" primary key,
    -- Attempts in a row that got no answer. After such an attempt, all deliveries of the target wait.
    failures     int         not null default 0,
    waits_until  timestamptz not null default '-infinity',
    -- 0: answers soon; 1: new, or slow; 2: gave no answer.
    tier         int         not null default 1,
    -- Null: no delivery is pending.
    next_turn_at timestamptz,
    idle_since   timestamptz
);
create index push_targets_turn on push_targets (tier, greatest(next_turn_at, waits_until))
    where next_turn_at is not null;
create index push_targets_failing on push_targets (target_id) where failures > 0;
create index push_targets_idle_since on push_targets (idle_since);

create table push_deliveries (
    delivery_id     text collate "C" primary key,
    target_id       text collate "C" not null,
    kind            text collate "C" not null,
    owner           text collate "C" not null,
    -- Deliveries of a target and an aggregate are made one after the other, by position.
    aggregate_id    text collate "C" not null,
    event_type      text collate "C" not null,
    position        bigint           not null,
    payload         text             not null,
    state           text collate "C" not null
        check (state in ('pending', 'sent', 'failed', 'cancelled')),
    attempts        int              not null default 0,
    failures        int              not null default 0,
    is_leased       boolean          not null default false,
    is_urgent       boolean          not null default false,
    next_attempt_at timestamptz      not null,
    due_at          timestamptz      not null,
    give_up_at      timestamptz      not null,
    created_at      timestamptz      not null,
    ended_at        timestamptz,
    check ((state = 'pending') = (ended_at is null))
);
create index push_deliveries_due on push_deliveries (target_id, next_attempt_at) where state = 'pending';
create index push_deliveries_aggregate on push_deliveries (target_id, aggregate_id, position)
    where state = 'pending';
create index push_deliveries_owner on push_deliveries (owner, delivery_id);
create index push_deliveries_target on push_deliveries (target_id, delivery_id);
create index push_deliveries_state on push_deliveries (owner, state, delivery_id);
create index push_deliveries_ended_at on push_deliveries (ended_at);

create table push_attempts (
    delivery_id text collate "C" not null references push_deliveries (delivery_id) on delete cascade,
    number      int              not null,
    started_at  timestamptz      not null,
    -- Null if the process was killed.
    ended_at    timestamptz,
    reason      text collate "C" not null default '',
    message     text             not null default '',
    -- 0: no answer.
    status      int              not null default 0,
    answer      text             not null default '',
    primary key (delivery_id, number)
);

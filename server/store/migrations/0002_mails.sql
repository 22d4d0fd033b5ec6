-- Mails: written together with what they tell of, sent afterwards. Not projections: nothing of these
-- is in the log, and `keystead rebuild` leaves them alone. So `user_id` refers to nothing: a rebuild
-- deletes users and puts them back.

-- While a mail is pending, `next_attempt_at` says when it may be taken; to take it is to move that
-- ahead by a lease and to count `attempts`, and who holds the lease is who knows that number.
create table mails (
    mail_id           text collate "C" primary key,
    kind              text collate "C" not null,
    user_id           text collate "C" not null,
    recipient_address text             not null,
    recipient_name    text             not null,
    reference         text collate "C" not null, -- what it tells of, by id
    parameters        jsonb            not null,
    has_secrets       boolean          not null, -- rows of `secrets`, erased when it ends
    message_domain    text             not null, -- of its header Message-ID
    state             text collate "C" not null
        check (state in ('pending', 'sent', 'failed', 'cancelled')),
    attempts          int              not null default 0,
    failures          int              not null default 0, -- in a row: what the next wait grows by
    is_leased         boolean          not null default false,
    next_attempt_at   timestamptz      not null,
    give_up_at        timestamptz      not null,
    holds_until       timestamptz, -- afterwards what it says is not true any more
    created_at        timestamptz      not null,
    ended_at          timestamptz,
    check ((state = 'pending') = (ended_at is null))
);
create index mails_due on mails (next_attempt_at) where state = 'pending';
create index mails_reference on mails (reference) where state = 'pending';
create index mails_user_id on mails (user_id, mail_id);
create index mails_state on mails (state, mail_id);
create index mails_ended_at on mails (ended_at);

-- Every try to send one; `ended_at` stays null where the process was killed.
create table mail_attempts (
    mail_id    text collate "C" not null references mails (mail_id) on delete cascade,
    number     int              not null,
    started_at timestamptz      not null,
    ended_at   timestamptz,
    reason     text collate "C" not null default '',
    message    text             not null default '',
    primary key (mail_id, number)
);

-- How much mail an address was sent lately: the one number that GCRA needs of it.
create table mail_recipients (
    address                text collate "C" primary key, -- in lower case
    theoretical_arrival_at timestamptz      not null
);
create index mail_recipients_theoretical_arrival_at on mail_recipients (theoretical_arrival_at);

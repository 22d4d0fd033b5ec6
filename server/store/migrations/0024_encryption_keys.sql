-- compatible since: 24
-- The encryption keys under which secrets may be stored (decision 14). The id of a key is derived from it, and does not reveal it.
create table encryption_keys (
    key_id   text        primary key,
    added_at timestamptz not null
);

-- Keys that `keystead rotate-keys` replaced. A server that encrypts with one of them does not start.
create table retired_encryption_keys (
    key_id     text        primary key,
    retired_at timestamptz not null
);

-- The processes that serve, and the ids of their keys. Not a projection: each process writes its own row.
create table servers (
    server_id  text collate "C" primary key,
    host_name  text             not null,
    process_id int              not null,
    key_ids    text[]           not null, -- the first key encrypts
    seen_at    timestamptz      not null
);

-- Null until the call has its answer.
alter table idempotent_answers alter column key_id drop not null;

insert into encryption_keys (key_id, added_at)
select key_id, now() from secrets union select key_id, now() from idempotent_answers where key_id <> '';

alter table secrets
    add constraint secrets_key_id_fkey foreign key (key_id) references encryption_keys (key_id);
alter table idempotent_answers
    add constraint idempotent_answers_key_id_fkey foreign key (key_id) references encryption_keys (key_id);

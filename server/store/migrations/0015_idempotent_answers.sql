-- The answers of changes that were made with `x-idempotency-key`, for a day. Not rebuilt from the log.
create table idempotent_answers (
    caller     text collate "C" not null,
    key_hash   bytea            not null, -- SHA-256 of the method and the key
    key_id     text             not null, -- of the encryption key; empty until the call has its answer
    ciphertext bytea            not null, -- the hash of the request, and the answer
    created_at timestamptz      not null,
    primary key (caller, key_hash)
);
create index idempotent_answers_created_at on idempotent_answers (created_at);

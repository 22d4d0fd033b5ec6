-- compatible since: 44
-- Whether the browser makes the passkey of a ceremony without asking, so that the flags UP and UV are not required.
alter table passkey_ceremonies add column is_conditional boolean not null default false;

-- Finds the passkeys of a former RP ID.
create index if not exists passkeys_of_relying_party on passkeys (rp_id, user_id);

-- compatible since: 44
-- Null: never, or before this migration; `keystead rebuild` fills them from the log. They have no index: a sign-in would
-- write an entry in every index of the table.
alter table users
    add column last_sign_in_at timestamptz,
    -- The last registration link.
    add column invited_at timestamptz;

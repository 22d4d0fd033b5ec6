-- Every statement of a call finds its rows by an index (decision 1).

-- A session by its id alone, which is the second column of the primary key.
create index sessions_session_id on sessions (session_id);

-- The keys in use, which every start checks.
create index secrets_key_id on secrets (key_id);

-- The activity of a session is deleted with it from now on. Earlier releases left some behind.
delete from session_activity as activity where not exists (
    select from sessions
    where sessions.user_id = activity.user_id and sessions.session_id = activity.session_id);

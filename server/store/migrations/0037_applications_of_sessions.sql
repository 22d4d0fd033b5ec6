-- compatible since: 21
-- The applications that got tokens in a session, and are notified of its end. No projection, and without foreign keys, since
-- the rows outlive the session until its end was read from the log.
create table oauth_sessions (
    session_id     text collate "C" not null,
    application_id text collate "C" not null,
    user_id        text collate "C" not null,
    expires_at     timestamptz      not null,
    primary key (session_id, application_id)
);
create index oauth_sessions_expires_at on oauth_sessions (expires_at);

-- compatible since: 21
-- Whether the application must push its authorization requests (RFC 9126, section 6).
alter table applications
    add column requires_pushed_authorization_requests boolean not null default false;

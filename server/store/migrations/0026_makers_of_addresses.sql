-- compatible since: 21
-- The users who could have set the mail address of a user (decision 12). Null in rows of earlier releases: unknown.
alter table users add column email_makers text[];

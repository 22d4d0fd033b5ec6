-- A mail that an operator wants tried again is taken although its destination fails, so it can be
-- told apart from those that wait for that to pass.
alter table mails add column is_urgent boolean not null default false;
create index mails_urgent on mails (next_attempt_at) where state = 'pending' and is_urgent;

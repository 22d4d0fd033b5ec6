-- compatible since: 21
-- Whether people register themselves.
alter table organizations add column allows_sign_up boolean not null default false;

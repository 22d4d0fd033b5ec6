-- How much mail an address gets, by whose mail it is: that of an organization, or about a user. What
-- was known of addresses is forgotten: nobody can say whose it was, and all that it was good for was
-- to bound the next hour. Mails that wait keep their time.
drop table mail_recipients;
create table mail_budgets (
    scope_id               text collate "C" not null, -- of the organization, or of the user
    address                text collate "C" not null, -- in lower case
    theoretical_arrival_at timestamptz      not null, -- the one number that GCRA needs
    primary key (scope_id, address)
);
create index mail_budgets_theoretical_arrival_at on mail_budgets (theoretical_arrival_at);

-- The time of its organization's budget that a mail takes, to be given back if it ends untried.
alter table mails add column turn tstzrange;

-- Until a notice is tried, further ones to its user are merged into it.
alter table mails add column is_collecting boolean not null default false;
create unique index mails_collecting on mails (user_id, kind, recipient_address)
    where is_collecting and attempts = 0 and state = 'pending';
update mails set parameters = parameters || '{"further_count": ""}' where kind = 'passkey_added';

-- Since when a mail is due on its own account: `next_attempt_at` is also moved by leases, and by
-- what fails for all.
alter table mails add column due_at timestamptz;
update mails set due_at =
    case when failures = 0 then give_up_at - interval '48 hours' else next_attempt_at end;
alter table mails alter column due_at set not null;
create index mails_due_at on mails (due_at) where state = 'pending';

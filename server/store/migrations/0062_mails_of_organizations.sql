-- compatible since: 44
-- The organization that a mail concerns, whose owners see it. Empty: the mail was written by a server of an earlier
-- release, and only the instance sees it; it is deleted after 30 days.
alter table mails add column org_id text collate "C" not null default '';
create index if not exists mails_organization on mails (org_id, mail_id) where org_id <> '';

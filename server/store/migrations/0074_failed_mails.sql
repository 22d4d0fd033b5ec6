-- compatible since: 44
-- The failed mails of an organization, for its figures and lists: those of others can be many, and so can its sent ones.
create index if not exists mails_failed on mails (org_id, mail_id) where state = 'failed';

-- compatible since: 44
-- The OAuth settings of the SMTP configuration: the payload of the event that set them.
alter table smtp_configs add column oauth jsonb;

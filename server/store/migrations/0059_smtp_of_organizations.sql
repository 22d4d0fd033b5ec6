-- compatible since: 44
-- SMTP configurations of organizations, beside that of the instance, which has the empty organization. Servers of the
-- latest release know only the latter, which the view shows them.
alter table smtp_configs
    add column org_id text collate "C" not null default '',
    drop constraint smtp_configs_pkey,
    drop column singleton,
    add constraint smtp_configs_pkey primary key (org_id);
create unique index smtp_configurations_id on smtp_configs (id);
alter table smtp_configs rename to smtp_configurations;
create view smtp_configs as
    select id, owner, sender_address, sender_name, tls, host, user_name, password_secret_id, sequence, creation_date,
        change_date
    from smtp_configurations where org_id = '';

-- Whether the server of the instance delivers while that of the organization fails.
alter table organizations add column allows_mail_fallback boolean not null default false;

-- The organization by whose SMTP configuration a mail is delivered; empty: by that of the instance. Each attempt has the
-- configuration that it used. A captured mail has its message among the secrets.
alter table mails
    add column smtp_org_id text collate "C" not null default '',
    add column is_captured boolean not null default false;
alter table mail_attempts add column route text not null default '';
create index if not exists mails_due_by_server on mails (smtp_org_id, next_attempt_at) where state = 'pending';
create index if not exists mails_captured on mails (mail_id) where is_captured;

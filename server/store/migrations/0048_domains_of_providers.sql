-- compatible since: 44
-- The domains of people who are registered at their first sign-in, and the fields of users that a sign-in updates.
alter table idp_oidc_configs
    add column auto_register_mail_domains text[] not null default array[]::text[],
    add column auto_register_hosted_domains text[] not null default array[]::text[],
    add column update_name_at_sign_in boolean not null default false,
    add column update_email_at_sign_in boolean not null default false;

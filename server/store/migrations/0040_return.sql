-- compatible since: 21
-- The URL that a link leads to after the registration; empty: the account.
alter table passkey_links add column return_to text not null default '';
-- Whether the link shows who invites to the organization, and to which application; empty: to none.
alter table passkey_links add column is_invitation boolean not null default false;
alter table passkey_links add column application_id text collate "C" not null default '';
alter table recovery_requests add column return_to text not null default '';

-- The origins of http and https URIs, for `is_page_origin` of applications. PostgreSQL would expand a function in SQL, and
-- then not find the index.
create function web_origins(uris text[], origins text[]) returns text[] language plpgsql immutable parallel safe as $$
begin
    return array(
        select substring(uri from '^(https?://[^/?#]*)') from unnest(uris || origins) as uri
        where uri ~ '^https?://');
end $$;
create index if not exists applications_web_origins
    on applications using gin (web_origins(redirect_uris, origins));

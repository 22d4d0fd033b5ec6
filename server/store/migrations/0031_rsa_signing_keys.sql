-- compatible since: 21
-- Keys that sign by RS256. A server of an earlier release takes every row of `signing_keys` for an ES256 key, so they have a table of
-- their own (decision 14).
create table rsa_signing_keys (
    kid        text collate "C" primary key, -- the JWK thumbprint (RFC 7638)
    public_key text             not null,    -- a JWK (RFC 7517)
    created_at timestamptz      not null,
    signs_at   timestamptz      not null
);

-- The newest migration that the server knows. Null: an earlier one than this.
alter table servers add column schema_version int;

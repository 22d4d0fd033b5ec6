-- A token of the kind certificate has the SHA-256 of its certificate (base64url), which is also a row of unique_claims.
alter table tokens add column thumbprint text;

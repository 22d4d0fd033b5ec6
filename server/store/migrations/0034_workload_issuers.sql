-- compatible since: 21
-- Issuers whose workloads get tokens as the application: a list of objects with issuer, audience, subject and claims.
alter table applications add column workload_issuers jsonb not null default '[]';

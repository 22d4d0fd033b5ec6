-- compatible since: 21
-- Hosts of client ID metadata documents, whose applications need not be added; '*' for every host.
alter table organizations add column client_metadata_hosts text[] not null default '{}';
create index organizations_client_metadata_hosts on organizations using gin (client_metadata_hosts);
create index organizations_with_metadata_hosts on organizations (id) where client_metadata_hosts <> '{}';

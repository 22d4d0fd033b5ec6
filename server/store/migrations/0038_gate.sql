-- compatible since: 21
-- The header in which the gate gives the JWT to an application, and whether it also gives headers about the person.
alter table applications
    add column gate_jwt_header text not null default '',
    add column gate_identity_headers boolean not null default false;

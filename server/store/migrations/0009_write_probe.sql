-- Health writes here to find out whether the database takes writes again.
create table write_probe (filler text not null);

-- Neither compressed nor moved elsewhere, so that a row takes a page.
alter table write_probe alter column filler set storage plain;

-- compatible since: 44
-- The picture of a user, and the key of its URL, which nobody can guess. Both are empty without a picture.
alter table users
    add column picture bytea not null default '',
    add column picture_key text collate "C" not null default '';
create unique index users_picture_key on users (picture_key) where picture_key <> '';

-- While its page has room, an update keeps a row on it and leaves the indexes alone (HOT). Filled to
-- the brim by inserts, pages have none: four of five updates went elsewhere (`bench --part log`).
alter table idps set (fillfactor = 90);
alter table users set (fillfactor = 90);

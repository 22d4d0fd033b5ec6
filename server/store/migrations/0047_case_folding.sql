-- compatible since: 44
-- Folds the case of names and addresses, whatever the locale of the database (`store/folding.py`):
-- in the locale C, the lower case of `Ü` is `Ü`. Of these collations, at least one exists: builtin
-- in PostgreSQL 17 and newer, that of ICU unless PostgreSQL was built without it, that of the C library.
do $$
begin
    begin
        create collation if not exists case_folding (provider = builtin, locale = 'C.UTF-8');
    exception when others then
        begin
            create collation if not exists case_folding (provider = icu, locale = 'und');
        exception when others then
            create collation if not exists case_folding (provider = libc, locale = 'C.UTF-8');
        end;
    end;
end $$;

-- As `users_address` and `users_recoverable`, which servers of earlier releases use.
create index if not exists users_folded_address
    on users ((lower(normalize(email, nfkc) collate case_folding) collate "C")) where email <> '';
create index if not exists users_folded_recoverable
    on users ((lower(normalize(email, nfkc) collate case_folding) collate "C"), owner, id)
    where email <> '' and passkey_count > 0 and roles = '{}';

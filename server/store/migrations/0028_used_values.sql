-- compatible since: 28
-- Values that were used and may not be used again: challenges and flows. The primary key enforces that. A value that a server
-- marked in an older table until now stays used.
lock table used_challenges, used_flows in access exclusive mode;

create table used_values (
    kind       text collate "C" not null,
    value      bytea            not null,
    expires_at timestamptz      not null,
    primary key (kind, value)
);
create index used_values_expires_at on used_values (expires_at);

insert into used_values (kind, value, expires_at)
select 'challenge', challenge, expires_at from used_challenges
union all
select 'flow', flow, expires_at from used_flows;

drop table used_challenges;
drop table used_flows;

-- The row by which a match is found in lists. It says nothing that its events do not say, and can be rebuilt from them.
create table match (
    id text primary key,
    game text not null,
    variant text not null,
    status text not null check (status in ('open', 'playing', 'ended', 'voided')),
    visibility text not null check (visibility in ('public', 'unlisted', 'private')),
    host text not null,
    players text[] not null,
    season text,
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz
);

-- Each is a way into the list, all but the last two in its order; store/matches.py asks for public matches and for the
-- viewer's own others apart, so that each half has its index. (With fastupdate each search would read up to 4 MB more.)
create index match_newest on match (created_at desc, id desc) where visibility = 'public';
create index match_of_status on match (status, created_at desc, id desc) where visibility = 'public';
create index match_of_game on match (game, created_at desc, id desc) where visibility = 'public';
create index match_of_season on match (season, created_at desc, id desc) where season is not null;
create index match_of_host on match (host, created_at desc, id desc) where visibility <> 'public';
create index match_of_players on match using gin (players) with (fastupdate = off) where visibility = 'public';
create index match_of_players_hidden on match using gin (players) with (fastupdate = off) where visibility <> 'public';

-- Codes that admit to a private match; only their hash is kept.
create table invitation (
    match text not null,
    code_hash bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (match, code_hash)
);

grant select, insert, update on match to tapete_app;
grant select, insert, delete on invitation to tapete_app;

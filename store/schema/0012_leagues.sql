-- Leagues and their seasons. What happened in a season are its events; here is what they leave out: names, and who may
-- know of what.
create table league (
    id text primary key,
    name text not null,
    game text not null,
    variant text not null,
    options jsonb not null,  -- as they were given: the defaults of its seasons
    visibility text not null check (visibility in ('public', 'unlisted', 'private')),
    created_by text not null,
    created_at timestamptz not null default clock_timestamp()
);

create index league_newest on league (created_at desc, id desc) where visibility = 'public';

create table organiser (
    league text not null references league (id),
    player text not null,
    added_at timestamptz not null default clock_timestamp(),
    primary key (league, player)
);

create index organiser_of_player on organiser (player);

create table season (
    id text primary key,  -- of the stream as well
    league text not null references league (id),
    name text not null,
    created_at timestamptz not null default clock_timestamp()
);

create index season_of_league on season (league, created_at desc, id desc);

-- Who a member is. Accounts are found here and have their names elsewhere; a guest's name is here alone, and can be
-- erased.
create table season_member (
    season text not null references season (id),
    id text not null,
    player text,
    label text,  -- null: an account's, or erased
    primary key (season, id),
    unique (season, player)
);

create index season_member_of_player on season_member (player) where player is not null;

-- Codes by which an account becomes a guest's: one a guest, once; only the hash is kept.
create table claim_code (
    season text not null,
    member text not null,
    code_hash bytea not null unique,
    expires_at timestamptz not null,
    primary key (season, member),
    foreign key (season, member) references season_member (season, id)
);

grant select, insert on league, season to tapete_app;
grant select, insert, update, delete on organiser to tapete_app;  -- update: to hold a row
grant select, insert, update on season_member to tapete_app;
grant select, insert, update, delete on claim_code to tapete_app;

-- Duplicate events: the same packs at several tables. The packs lie here, and in the matches, until the event ends.
create table duplicate (
    id text primary key,
    game text not null,
    variant text not null,
    options json not null,
    kind text not null check (kind in ('solo', 'tables')),
    seats integer not null,
    bot text not null,
    packs json not null,
    salt bytea not null,
    day date,  -- of a deal of the day
    created_by text not null,
    created_at timestamptz not null default now(),
    ends_at timestamptz not null check (ends_at > created_at),
    unique (day, game)
);

create index duplicate_newest on duplicate (created_at desc, id desc);

create table entry (
    duplicate text not null references duplicate (id),
    player text not null,
    entered_at timestamptz not null default clock_timestamp(),
    match text,  -- null: he waits for others
    seat integer,
    primary key (duplicate, player)
);

create trigger duplicate_is_append_only before update or delete or truncate on duplicate
    for each statement execute function refuse_change();
alter table duplicate enable always trigger duplicate_is_append_only;

grant select, insert on duplicate to tapete_app;
grant select, insert, update on entry to tapete_app;

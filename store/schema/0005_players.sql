-- Accounts of players. The name can be erased; events and ledger carry the id alone.
create table player (
    id text primary key,
    name text,  -- null once erased
    created_at timestamptz not null default clock_timestamp(),
    erased_at timestamptz
);

create index player_of_name on player (name, created_at desc, id desc);

-- Bearer tokens: the token itself is shown once and kept nowhere.
create table token (
    id text primary key,
    player text not null references player (id),
    hash bytea not null unique,  -- SHA-256 of the token
    label text not null,
    scopes text[] not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz
);

create index token_of_player on token (player, created_at desc, id desc);

grant select, insert, update on player, token to tapete_app;

-- Ratings by game. Everything here follows from events and can be made anew from them; the pool's row says how far it is.

-- Results that rate, as the newest word of their stream has them: a season's of its matches, else the match's own.
create table rated (
    id text primary key,  -- of the match
    game text not null,
    ended_at timestamptz not null,
    seats text[] not null,  -- by seat: player:<id> or bot:<name>
    places integer[] not null,  -- by seat; empty: void
    stream text not null,  -- who says so
    version integer not null  -- at which version: an older word changes nothing
);

create index rated_in_order on rated (game, ended_at, id);
create index rated_of_stream on rated (stream);

-- How often a game's results have changed, up to which change its ratings are made, and from where on they are not.
create table rating_pool (
    game text primary key,
    asked bigint not null,
    made bigint not null default 0,
    from_at timestamptz,
    from_id text
);

-- A rating after each result.
create table rating_step (
    game text not null,
    subject text not null,
    ended_at timestamptz not null,
    result text not null,
    number integer not null,  -- of the subject's results
    mu double precision not null,
    sigma double precision not null,
    primary key (game, subject, ended_at, result)
);

create index rating_step_in_order on rating_step (game, ended_at, result);

-- A rating now: the last step.
create table rating (
    game text not null,
    subject text not null,
    mu double precision not null,
    sigma double precision not null,
    ordinal double precision generated always as (mu - 3 * sigma) stored,
    matches integer not null,
    ended_at timestamptz not null,  -- of the last result
    primary key (game, subject)
);

create index rating_best on rating (game, ordinal desc, subject);
create index rating_of_subject on rating (subject, game);

grant select, insert, update on rated, rating_pool to tapete_app;
grant select, insert, delete on rating_step, rating to tapete_app;

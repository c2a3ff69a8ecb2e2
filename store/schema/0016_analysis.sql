-- What the words of matches that are over were worth. Analyses are worked on one after the other, in the order in which
-- they were asked for, a slice at a time: at most one has a job.
create table analysis (
    match text primary key,
    position bigint generated always as identity unique,
    asked_at timestamptz not null default clock_timestamp(),
    words integer not null,
    looked integer not null default 0,  -- words looked at
    after integer not null default 0,  -- the version behind which it goes on
    underway json,  -- the decision there that is half judged
    finished_at timestamptz,
    failed boolean not null default false
);

create index analysis_waiting on analysis (position) where finished_at is null;

create table judgement (
    match text not null references analysis (match),
    version integer not null,
    seat integer not null,
    move text not null,
    loss double precision,
    candidates json not null,
    primary key (match, version)
);

grant select, insert, update on analysis to tapete_app;
grant select, insert on judgement to tapete_app;

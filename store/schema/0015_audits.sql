-- What each night's audit has found: how far it has come, and how many streams are at fault.
create table ledger_audit (
    day date primary key,
    streams integer not null default 0,
    faults integer not null default 0,
    began_at timestamptz not null default now(),
    ended_at timestamptz  -- null while it goes on
);

grant select, insert, update on ledger_audit to tapete_app;

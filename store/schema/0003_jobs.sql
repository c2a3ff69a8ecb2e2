-- Follow-ups, written in the transaction of the events that caused them.
create table job (
    key text primary key,  -- unique for ever, so that the same cause makes one job
    kind text not null,
    state text not null default 'due' check (state in ('due', 'leased', 'done', 'dead')),
    due_at timestamptz not null,
    published_at timestamptz,  -- when its id last went out by Celery; null: not since it fell due
    fence bigint not null default 0,  -- counts leases: only the newest may finish the job
    attempts integer not null default 0,
    leased_until timestamptz,
    last_error text,
    created_at timestamptz not null default now()
);

-- Stays small as done rows pile up.
create index job_not_done on job (due_at) where state <> 'done';

grant select, insert, update, delete on job to tapete_app;

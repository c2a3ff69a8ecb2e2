-- The first answer to each Idempotency-Key, given again to whoever repeats the request.
create table answer (
    request bytea primary key,  -- SHA-256 of player, method, path and key: short, however long the path was
    body_hash bytea not null,
    status integer,  -- null only inside the transaction that works the answer out
    headers json,
    body text,  -- null when it showed a secret
    result_id text,
    created_at timestamptz not null default now()
);

create index answer_by_age on answer (created_at);

grant select, insert, update, delete on answer to tapete_app;

-- The streams. Rows are only ever added: the application's role may not do more, and a trigger holds the owner to it too.
create table event (
    stream_id text not null,
    version integer not null check (version > 0),
    kind text not null check (kind in ('match', 'season')),
    type text not null,
    text text not null,  -- the JSON exactly as it was hashed
    prev_hash bytea not null,
    hash bytea not null, -- SHA-256(prev_hash || text); before the first event: SHA-256("tapete\0" || stream_id)
    recorded_at timestamptz not null,
    primary key (stream_id, version)  -- decides the race for a version
);

-- What a move reads of earlier deals: what became of them.
create index event_but_deals on event (stream_id, version) where type not in ('moved', 'dealt');

-- Where the first and the last deal begin.
create index event_dealt on event (stream_id, version) where type = 'dealt';

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% of % is refused: its rows are only ever added', lower(tg_op), tg_table_name
        using errcode = 'insufficient_privilege';
end
$$;

create trigger event_is_append_only before update or delete or truncate on event
    for each statement execute function refuse_change();

-- Also when a session sets session_replication_role to replica.
alter table event enable always trigger event_is_append_only;

grant select, insert on event to tapete_app;

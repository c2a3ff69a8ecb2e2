-- 0010_webhooks
-- Where players want to be told, and what they are told. A hook sends one message at a time; when it has its next turn
-- stands in its row, so that a sender finds work without looking at anything else.
create table webhook (
    id text primary key,
    player text not null references player (id),
    url text not null,
    events text[] not null,
    secret bytea not null,  -- it signs, so it must be kept; shown once
    created_at timestamptz not null default clock_timestamp(),
    disabled_at timestamptz,
    disabled_reason text,
    failures integer not null default 0,  -- in a row
    failing_since timestamptz,
    rests_until timestamptz not null default '-infinity',  -- after a failure, whatever is due
    next_at timestamptz,  -- its next turn; null: nothing waits. While a sender has it, when its lease runs out
    taken_until timestamptz not null default '-infinity',
    fence bigint not null default 0,  -- counts takings: only the newest may record
    delivered bigint not null default 0,  -- messages
    failed bigint not null default 0,  -- attempts
    dropped bigint not null default 0  -- messages that were not made, because too many wait
);

create index webhook_of_player on webhook (player, created_at desc, id desc);
create index webhook_listening on webhook (player) where disabled_at is null;
create index webhook_next on webhook (next_at) where next_at is not null;

create table delivery (
    id text primary key,  -- the receiver's webhook-id
    webhook text not null references webhook (id) on delete cascade,
    source text not null,  -- what it tells of, so that twice is once
    type text not null,
    body text not null,  -- as it is signed and sent, each time
    created_at timestamptz not null default clock_timestamp(),
    seq bigint generated always as identity,  -- the order in which they were made
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    due_at timestamptz not null default now(),
    attempts integer not null default 0,
    unique (webhook, source)
);

create index delivery_of_webhook on delivery (webhook, created_at desc, id desc);
create index delivery_pending on delivery (webhook, due_at) where state = 'pending';
create index delivery_by_age on delivery (created_at);

create table attempt (
    delivery text not null references delivery (id) on delete cascade,
    number integer not null,
    at timestamptz not null default now(),
    status integer,  -- null when nobody answered
    milliseconds integer not null,
    error text,  -- null when it was delivered; nothing of what the receiver said
    primary key (delivery, number)
);

grant select, insert, update, delete on webhook, delivery to tapete_app;
grant select, insert, delete on attempt to tapete_app;

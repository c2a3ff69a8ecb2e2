-- Double entry. Rows are only ever added; what a transfer moves sums to zero.
create table account (
    id text primary key,
    created_at timestamptz not null default now()
);

create table transfer (
    seq bigint generated always as identity primary key,  -- the order in which they were recorded
    id text not null unique,  -- derived from the cause, so that posting it twice is posting it once
    kind text not null,
    match text not null,
    version integer not null,
    reason text not null,
    scale integer not null check (scale > 0),
    effective_at timestamptz not null,  -- when its cause was recorded
    recorded_at timestamptz not null default now()
);

create index transfer_of_match on transfer (match, seq);

create table posting (
    transfer bigint not null references transfer (seq),
    line integer not null,
    account text not null references account (id),
    amount bigint not null,
    seat integer,
    player text,
    member text,
    primary key (transfer, line)
);

create index posting_of_player on posting (player, transfer) where player is not null;

create function transfer_sums_to_zero() returns trigger language plpgsql as $$
declare
    total numeric;
begin
    select sum(amount) into total from posting where transfer = new.transfer;
    if total <> 0 then
        raise exception 'transfer % sums to %, not to zero', new.transfer, total using errcode = 'check_violation';
    end if;
    return null;
end
$$;

-- Deferred: a transfer is judged when all its postings are in.
create constraint trigger posting_sums_to_zero after insert on posting deferrable initially deferred
    for each row execute function transfer_sums_to_zero();

create trigger account_is_append_only before update or delete or truncate on account
    for each statement execute function refuse_change();
create trigger transfer_is_append_only before update or delete or truncate on transfer
    for each statement execute function refuse_change();
create trigger posting_is_append_only before update or delete or truncate on posting
    for each statement execute function refuse_change();

alter table account enable always trigger account_is_append_only;
alter table transfer enable always trigger transfer_is_append_only;
alter table posting enable always trigger posting_is_append_only;
alter table posting enable always trigger posting_sums_to_zero;

grant select, insert on account, transfer, posting to tapete_app;

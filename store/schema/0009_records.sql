-- Which records were imported, and what their players are called: text that can be erased, and so is in no event.
create table record (
    match text primary key,  -- what it became
    importer text not null,  -- a player
    digest bytea,  -- SHA-256 of its canonical form; null once its importer is erased
    labels text[],  -- by seat; null once its importer is erased
    imported_at timestamptz not null default now(),
    unique (importer, digest)  -- the same record again is the same match
);

grant select, insert, update on record to tapete_app;

-- Keys that all processes share and nobody chooses: drawn here, once a database.
create table secret (
    name text primary key,
    key bytea not null
);

insert into secret (name, key)
values ('cursors', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));  -- 244 random bits

grant select on secret to tapete_app;

-- What the standings of a season came to at a version of its stream: made anew whenever they are asked for at another
-- one, so a row may be lost or late, and nothing is wrong. Names are filled in when it is read.
create table standing (
    season text primary key references season (id),
    version integer not null,
    content text not null  -- JSON
);

grant select, insert, update on standing to tapete_app;

-- Why somebody did a thing, in his own words: text that can be erased, and so is in no event.
create table note (
    stream_id text not null,
    version integer not null,
    author text not null,  -- a player
    text text not null,
    primary key (stream_id, version)
);

create index note_of_author on note (author);

grant select, insert, delete on note to tapete_app;

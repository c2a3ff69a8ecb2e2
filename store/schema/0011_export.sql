-- What a player hosts, public or not: for what he is told of himself, and what he leaves behind.
create index match_hosted on match (host, created_at desc, id desc);

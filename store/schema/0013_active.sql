-- The matches that are open or being played, by who sits or is invited, and by host: what a player's stream begins with, and
-- looks for every ten seconds. Through the indexes of the list it would read every match that was ever played there.
create index match_active on match using gin (players) with (fastupdate = off) where status in ('open', 'playing');
create index match_active_hosted on match (host) where status in ('open', 'playing');

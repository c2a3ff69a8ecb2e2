"""What answers about leagues and seasons hold, as JSON Schema. Beside it: shapes.py, whose words these are."""

from __future__ import annotations

from api.schemas import VISIBILITIES
from api.shapes import (
    BY_SEAT,
    DIGEST,
    IDENTIFIER,
    JSON,
    NAMED,
    TEXT,
    TIME,
    TRUTH,
    VERSION,
    WHOLE,
    Shape,
    listed,
    nullable,
    one_of,
    paged,
    record,
    ref,
    table,
)
from domain.rules import games
from domain.schemes import KINDS
from domain.season_decide import ADJUSTMENTS
from domain.season_rounds import PAIRINGS
from domain.tie_breaks import TIE_BREAKS

DATE: Shape = {"type": "string", "format": "date"}
NOTE: Shape = {**nullable(TEXT), "description": "what was written to it, for members and organisers; null once erased"}
OPEN: Shape = {**listed(TEXT), "description": "ids of tables, sheets and results that wait"}
SCORING: dict[str, Shape] = {
    "scheme": one_of(*KINDS),
    "points": {**nullable(table(listed(WHOLE))), "description": "of `places`: by size of table and place"},
    "drop_worst": WHOLE,
    "min_results": WHOLE,
    "tie_breaks": listed(one_of(*TIE_BREAKS)),
}
SITTER = record(seat=WHOLE, member=IDENTIFIER, name=nullable(TEXT), **{"for": nullable(IDENTIFIER)})

SEASON = record(
    id=IDENTIFIER,
    league=IDENTIFIER,
    name=TEXT,
    game=one_of(*games()),
    variant=TEXT,
    options={**table(JSON), "description": "all options, by number of seats"},
    **SCORING,
    lot={**TEXT, "description": "the seed of the tie-break `lot`"},
    changes={
        **listed(record(version=VERSION, at=TIME, by=nullable(IDENTIFIER), note=NOTE)),
        "description": "of the scheme",
    },
    starts=nullable(DATE),
    ends=nullable(DATE),
    status=one_of("open", "closed"),
    version=VERSION,
    members=WHOLE,
    rounds=WHOLE,
    results=WHOLE,
    open=OPEN,
    revisions={**listed(VERSION), "description": "of the final table: the version at which each stood"},
    organises=TRUTH,
    you={**nullable(IDENTIFIER), "description": "the member that the caller is"},
    created_at=TIME,
)

LEAGUE_SCHEMAS: dict[str, Shape] = {
    "League": record(
        id=IDENTIFIER,
        name=TEXT,
        game=one_of(*games()),
        variant=TEXT,
        options={**table(JSON), "description": "those that were given"},
        visibility=one_of(*VISIBILITIES),
        organisers=listed(NAMED),
        organises=TRUTH,
        created_at=TIME,
    ),
    "Leagues": paged(ref("League")),
    "Season": SEASON,
    "SeasonRow": record(id=IDENTIFIER, league=IDENTIFIER, name=TEXT, created_at=TIME),
    "Seasons": paged(ref("SeasonRow")),
    "SeasonEvent": {
        **record(version=VERSION, type=TEXT, at=nullable(TIME), hash=nullable(DIGEST)),
        "description": "Fields of its type, with members by id. `note` is what was written to it, for its members.",
        "additionalProperties": True,
    },
    "SeasonEvents": record(items=listed(ref("SeasonEvent")), next=nullable(VERSION)),
    "SeasonWritten": record(version=VERSION, events=listed(ref("SeasonEvent")), season=ref("Season")),
    "Member": record(
        id=IDENTIFIER,
        player=nullable(IDENTIFIER),
        name={**nullable(TEXT), "description": "the account's or the guest's; null once erased"},
        guest=TRUTH,
        active=TRUTH,
        you=TRUTH,
    ),
    "Members": paged(ref("Member")),
    "NewMemberAnswer": record(version=VERSION, member=ref("Member")),
    "ClaimCode": record(
        code={"type": "string", "description": "shown this once; an account posts it to /v1/claims"}, expires_at=TIME
    ),
    "ClaimAnswer": record(season=IDENTIFIER, member=ref("Member")),
    "Round": record(
        round=WHOLE,
        pairing=one_of(*PAIRINGS),
        seed=nullable(TEXT),
        tables=listed(ref("Table")),
        byes=listed(IDENTIFIER),
        absent=listed(IDENTIFIER),
    ),
    "Rounds": paged(ref("Round")),
    "Table": record(
        id=IDENTIFIER,
        round=WHOLE,
        seats=listed(SITTER),
        match=nullable(IDENTIFIER),
        sheet=nullable(IDENTIFIER),
        status=one_of("open", "done", "void"),
    ),
    "Tables": paged(ref("Table")),
    "TableMatchAnswer": record(version=VERSION, match=ref("Match")),
    "SeasonResult": record(
        id={**IDENTIFIER, "description": "of the match or sheet that it came from"},
        source=one_of("match", "sheet"),
        status=one_of("submitted", "confirmed", "disputed", "void"),
        table=nullable(IDENTIFIER),
        round=nullable(WHOLE),
        seats=listed(SITTER),
        points={**nullable(BY_SEAT), "description": "game points; null when void"},
        places=nullable(BY_SEAT),
        worth={**nullable(BY_SEAT), "description": "what it is worth to each seat, in 1/`scale` points"},
        scale=WHOLE,
        submitted_by=nullable(IDENTIFIER),
        ended_at=nullable(TIME),
        versions=listed(
            record(
                version=VERSION,
                at=TIME,
                points=nullable(BY_SEAT),
                places=nullable(BY_SEAT),
                by=nullable(IDENTIFIER),
                note=NOTE,
            )
        ),
    ),
    "SeasonResults": paged(ref("SeasonResult")),
    "Adjustment": record(
        id=IDENTIFIER,
        member=IDENTIFIER,
        kind=one_of(*ADJUSTMENTS),
        amount={**WHOLE, "description": "in 1/`scale` points"},
        scale=WHOLE,
        version=VERSION,
        at=TIME,
        effective_at=TIME,
        by=nullable(IDENTIFIER),
        note=NOTE,
        cancelled=nullable(VERSION),
        cancelled_at=nullable(TIME),
    ),
    "Adjustments": paged(ref("Adjustment")),
}

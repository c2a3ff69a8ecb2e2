"""Score sheets: written deal by deal and at once, printed, brought as CSV. Beside it: api/sheets.py, api/evening.py."""

from __future__ import annotations

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.clubs import Club, club, drawn, joined
from tests.api.http import Answer, Client

TALLY: dict[str, Any] = {
    "taken": {"JS": 0, "JH": 1, "JD": 1, "JC": 2}, "first": None, "last": None, "declaration": None, "swept": None,
    "revokes": [],
}  # fmt: skip
DEAL = {"dealer": 0, "tally": TALLY}
LONG: dict[str, Any] = {"options": {"deals": 4, "tie_break": "shared"}}


def wrong(**changed: Any) -> dict[str, Any]:
    return {"tally": {**TALLY, **changed}}


@pytest.fixture
def made(ana: Client) -> Club:
    """Six members, the last a guest, at two tables of the draw; matches of four deals."""
    return six(ana)


@pytest.fixture(scope="module")
def unchanged(anybody: Client) -> Club:
    """The same for tests after which it is as it was."""
    return six(anybody.player("Ana"))


def six(organiser: Client) -> Club:
    found = club(organiser, 5, guests=1, **LONG)
    drawn(found, [0, 1, 2], [3, 4, 5])
    return found


def sheet(made: Club, by: int = 1, **facts: Any) -> Any:
    """A blank sheet of the first table."""
    return made.players[by].made(f"{made.path}/sheets", {"table": "1-1", **facts})


# Deal by deal


def test_a_sheet_is_written_deal_by_deal_submitted_and_confirmed_by_a_second_player(made: Club) -> None:
    one, two = made.players[1], made.players[2]
    found = sheet(made)
    path = f"{made.path}/sheets/{found['id']}"
    assert (found["status"], found["deals"], found["totals"], found["over"]) == ("open", [], [0, 0, 0], None)
    assert [seat["member"] for seat in found["seats"]] == made.ids[:3]
    first = two.post(f"{path}/deals", DEAL, If_Match='"0"')
    assert (first.status, first.version, first.json["totals"]) == (201, '"1"', [2, 2, 1])
    misdeal = one.post(f"{path}/deals", {"dealer": 1, "void": True}, If_Match=first.version)
    assert (misdeal.json["deals"][1]["void"], misdeal.json["deals"][1]["points"]) == (True, None)
    last = one.post(f"{path}/deals", {"tally": TALLY}, If_Match=misdeal.version).json
    assert (last["deals"][2]["dealer"], last["totals"], last["places"]) == (1, [4, 4, 2], [2, 2, 1])
    dropped = two.delete(f"{path}/deals/last", If_Match='"3"')
    assert (dropped.status, dropped.version, dropped.json["totals"]) == (200, '"2"', [2, 2, 1])
    submitted = one.post(f"{path}/submit", If_Match=dropped.version)
    assert (submitted.status, submitted.json["status"]) == (201, "submitted")
    assert one.post(f"{path}/deals", DEAL, If_Match='"2"').code == "wrong_status"
    assert one.post(f"{made.path}/results/{found['id']}/confirm").code == "own_result"
    two.made(f"{made.path}/results/{found['id']}/confirm")
    assert made.read(f"/sheets/{found['id']}")["status"] == "confirmed"
    assert [each["id"] for each in made.read("/sheets?status=confirmed")["items"]] == [found["id"]]


def test_c31_of_the_same_deal_from_two_phones_one_is_written(made: Club) -> None:
    path = f"{made.path}/sheets/{sheet(made)['id']}/deals"

    def send(client: Client) -> Answer:
        return client.post(path, DEAL, If_Match='"0"')

    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(send, made.players[:3]))
    assert sorted(answer.status for answer in answers) == [201, 412, 412]
    late = next(answer for answer in answers if answer.status == 412)
    assert (late.version, late.json["version"]) == ('"1"', 1)


def test_c31_of_dropping_the_last_deal_twice_one_succeeds(made: Club) -> None:
    found = sheet(made, deals=[DEAL])
    path = f"{made.path}/sheets/{found['id']}/deals/last"
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda client: client.delete(path, If_Match='"1"'), made.players[:2]))
    assert sorted(answer.status for answer in answers) == [200, 412]
    late = next(answer for answer in answers if answer.status == 412)
    assert (late.version, late.json["version"]) == ('"0"', 0)
    assert made.players[0].delete(path, If_Match='"0"').code == "wrong_status"


def test_whoever_does_not_say_what_he_has_seen_is_told_to(made: Club) -> None:
    path = f"{made.path}/sheets/{sheet(made)['id']}/deals"
    for answer in (made.players[1].post(path, DEAL), made.players[1].delete(f"{path}/last")):
        assert (answer.status, list(answer.json["errors"])) == (422, ["If-Match"])
    assert made.players[1].post(path, DEAL, If_Match="*").status == 201


def test_a_key_that_is_repeated_writes_one_deal(made: Club) -> None:
    path = f"{made.path}/sheets/{sheet(made)['id']}/deals"
    first, again = (made.players[1].post(path, DEAL, If_Match='"0"', Idempotency_Key="d1") for _ in range(2))
    assert first.json == again.json and again.headers["Idempotent-Replayed"] == "true"


def test_a_whole_sheet_comes_at_once_and_a_preview_of_it_leaves_nothing(made: Club) -> None:
    body = {"table": "1-1", "deals": [DEAL, {"void": True}, {"tally": TALLY}], "submit": True}
    before = made.read()["version"]
    tried = made.players[1].post(f"{made.path}/sheets?preview=true", body)
    assert (tried.status, tried.json["id"], tried.json["totals"]) == (200, None, [4, 4, 2])
    assert made.read()["version"] == before
    found = made.players[1].made(f"{made.path}/sheets", body)
    assert found | {"id": None} == tried.json
    path = f"{made.path}/sheets/{sheet(made, by=0, table=None, members=seats(made, 0, 1, 3))['id']}/deals"
    deal = made.players[1].post(f"{path}?preview=true", DEAL, If_Match='"0"')
    assert (deal.status, deal.json["totals"]) == (200, [2, 2, 1])
    assert made.players[1].post(path, DEAL, If_Match='"0"').status == 201


def seats(made: Club, *members: int) -> list[dict[str, str]]:
    return [{"member": made.ids[member]} for member in members]


def test_an_organiser_confirms_at_once_what_he_writes_for_others_and_not_his_own(made: Club) -> None:
    path = f"{made.path}/sheets?confirm=true"
    own = made.organiser.post(path, {"table": "1-1", "deals": [DEAL]})
    assert own.code == "own_result" and made.read("/sheets")["items"] == []
    others = made.organiser.made(path, {"table": "1-2", "deals": [DEAL], "played_at": "2026-03-01T20:00:00Z"})
    assert others["status"] == "confirmed"
    assert made.read(f"/results/{others['id']}")["ended_at"] == "2026-03-01T20:00:00.000000Z"


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    (wrong(taken={"JS": 0, "JH": 1, "JD": 1}), 422, "tally.taken.JC"),
    (wrong(taken={**TALLY["taken"], "QS": 1}), 422, "tally.taken.QS"),
    (wrong(taken={**TALLY["taken"], "JC": 3}), 422, "tally.taken.JC"),
    (wrong(first=1), 422, "tally.first"),
    (wrong(revokes=[0]), 422, "tally.revokes"),
    ({"dealer": 3, "tally": TALLY}, 422, "dealer"),
    ({"dealer": 0}, 422, "void"),
    ({"void": False}, 422, "void"),
    ({"tally": TALLY, "void": True}, 422, "void"),
    ({"tally": 7}, 422, "tally"),
    ({"card": "JS"}, 422, "card"),
]


@pytest.mark.parametrize(("deal", "status", "field"), REFUSED, ids=[field for *_, field in REFUSED])
def test_an_impossible_deal_is_refused_by_its_field(unchanged: Club, deal: Any, status: int, field: str) -> None:
    made = unchanged
    found = sheet(made, table=None, members=seats(made, 1, 2, 3))
    answer = made.players[1].post(f"{made.path}/sheets/{found['id']}/deals", deal, If_Match='"0"')
    assert (answer.status, list(answer.json["errors"])) == (status, [field]), answer
    whole = made.players[2].post(f"{made.path}/sheets", {"members": seats(made, 2, 3, 4), "deals": [DEAL, deal]})
    assert whole.status == 422 and all(name.startswith("deals.1") for name in whole.json["errors"]), whole
    assert made.read("/sheets")["items"][0]["deals"] == []


def test_sheets_are_written_by_those_who_sit_there_and_by_organisers(made: Club, eva: Client, anybody: Client) -> None:
    path = f"{made.path}/sheets"
    assert eva.post(path, {"table": "1-1"}).code == "not_allowed"
    assert made.players[3].post(path, {"table": "1-1"}).code == "not_allowed"
    assert anybody.post(path, {"table": "1-1"}).code == "unauthenticated"
    found = sheet(made)
    assert made.players[3].post(f"{path}/{found['id']}/deals", DEAL, If_Match='"0"').code == "not_allowed"
    assert made.players[2].post(path, {"table": "1-1"}).code == "wrong_status"  # there is one
    assert made.players[2].post(path, {}).json["errors"].keys() == {"members"}
    assert made.organiser.post(path, {"table": "9-9"}).status == 404
    assert made.organiser.post(path, {"members": seats(made, 0, 1, 1)}).code == "twice_at_table"
    assert made.organiser.post(path, {"members": [{"member": "nobody"}] * 3}).code == "not_member"
    assert made.organiser.post(path, {"members": seats(made, 0, 1)}).code == "invalid"
    assert anybody.get(f"{path}/{found['id']}").status == 200
    assert anybody.get(f"{path}/nothing").status == 404


def test_sheets_of_a_private_league_are_nowhere_for_strangers(ana: Client, eva: Client) -> None:
    made = club(ana, 3, visibility="private", **LONG)
    drawn(made, [0, 1, 2])
    found = sheet(made, deals=[DEAL])["id"]
    paths = ["sheets", f"sheets/{found}", "tables/1-1/sheet", "rounds/1/sheets", "standings", "history", "ledger"]
    for path in paths:
        assert eva.get(f"{made.path}/{path}").status == 404, path
        assert made.players[2].get(f"{made.path}/{path}").status == 200, path
    writes = [("sheets", {}), (f"sheets/{found}/deals", DEAL), (f"sheets/{found}/submit", None)]
    for path, body in writes:
        assert eva.post(f"{made.path}/{path}", body, If_Match='"1"').status == 404, path
    assert eva.delete(f"{made.path}/sheets/{found}/deals/last", If_Match='"1"').status == 404


def test_the_list_of_sheets_has_pages(made: Club) -> None:
    ids = [sheet(made, 0, table=None, members=seats(made, 0, 1, n))["id"] for n in (2, 3, 4, 5)]
    page = made.read("/sheets?limit=3")
    rest = made.read(f"/sheets?limit=3&cursor={page['next']}")
    assert [each["id"] for each in page["items"] + rest["items"]] == ids[::-1] and rest["next"] is None


# On paper


def test_a_blank_and_a_filled_sheet_are_pages_without_scripts_in_which_names_are_names(made: Club) -> None:
    joined(made, name="<script>alert(1)</script>")
    made.ids.append(joined(made, name='"><img src=x>'))
    table = drawn_again(made)
    page = made.organiser.get(f"{made.path}/tables/{table}/sheet", Accept_Language="es")
    assert page.headers["Content-Type"].startswith("text/html") and page.headers["Content-Language"] == "es"
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "<script" not in page.text and "<img" not in page.text and "&lt;script" in page.text
    assert "Mesa" not in page.text and "Ronda 1, mesa 1" in page.text and "Reparte" in page.text
    assert not re.search(r"<[^>]*(src|href)=|url\(|@import", page.text)
    found = made.organiser.made(f"{made.path}/sheets", {"table": table, "deals": [DEAL, {"void": True}]})
    filled = made.organiser.get(f"{made.path}/sheets/{found['id']}", Accept="text/html").text
    assert "misdeal" in filled and "<script" not in filled
    assert made.organiser.get(f"{made.path}/sheets/{found['id']}", Accept="application/json").json == found


def drawn_again(made: Club) -> str:
    """The first round anew, with everybody who has come since."""
    body = {"pairing": "manual", "tables": [[each["id"] for each in made.read("/members")["items"][3:]]], "first": 1}
    assert made.organiser.post(f"{made.path}/rounds", body).status == 201
    return "1-1"


GAMES = ["polignac", "bottle_imp", "pot_de_vin", "mykonos"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_sheet_for_each_table_of_a_round(ana: Client, game: str) -> None:
    made = club(ana, 1, guests=5, game=game, options={})
    drawn(made, [0, 1, 2], [3, 4, 5])
    for language in ("en", "es"):
        page = made.organiser.get(f"{made.path}/rounds/1/sheets", Accept_Language=language).text
        assert page.count("<section") == 2 and f'lang="{language}"' in page
    head = template(made)[0]
    assert head[:8] == ["table", "A", "B", "C", "played_at", "deal", "dealer", "misdeal"] and len(head) > 8
    assert made.organiser.get(f"{made.path}/rounds/2/sheets").status == 404


# An evening as CSV


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def written(rows: list[list[str]], delimiter: str = ",", end: str = "\r\n") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue().encode()


def post_csv(made: Club, body: bytes, query: str = "") -> Answer:
    return made.organiser.call("POST", f"{made.path}/sheets{query}", body, Content_Type="text/csv")


def template(made: Club, number: int = 1) -> list[list[str]]:
    answer = made.organiser.get(f"{made.path}/rounds/{number}/sheets", Accept="text/csv")
    assert answer.status == 200 and answer.text.startswith("\ufeff"), answer
    return rows_of(answer.text)


def fill(rows: list[list[str]], table: str, *deals: dict[str, str]) -> None:
    """Write deals into the rows of a table."""
    head = rows[0]
    own = [row for row in rows[1:] if row[head.index("table")] == table]
    for row, deal in zip(own, deals, strict=False):
        for column, value in deal.items():
            row[head.index(column)] = value


TAKEN = {"taken.JS": "A", "taken.JH": "b", "taken.JD": "B", "taken.JC": "C"}


def test_a_blank_evening_is_filled_in_and_comes_back_as_sheets(made: Club) -> None:
    rows = template(made)
    assert rows[0][:5] == ["table", "A", "B", "C", "played_at"] and len(rows) == 9
    fill(rows, "1-1", {**TAKEN, "dealer": "C", "played_at": "2026-03-01"}, {"misdeal": "x"}, TAKEN)
    fill(rows, "1-2", {**TAKEN, "declaration.seat": "C"})
    before = made.read()["version"]
    tried = post_csv(made, written(rows), "?preview=true")
    assert tried.status == 200 and made.read()["version"] == before
    answer = post_csv(made, b"\xef\xbb\xbf" + written(rows, ";"))
    assert answer.status == 201, answer
    one, two = answer.json["items"]
    assert (one["table"], one["status"], one["totals"], len(one["deals"])) == ("1-1", "submitted", [4, 4, 2], 3)
    assert [deal["dealer"] for deal in one["deals"]] == [2, 0, 0]
    assert one["played_at"] == "2026-03-01T12:00:00.000000Z"
    assert two["deals"][0]["tally"]["declaration"] == {"seat": 2, "kind": "capot", "made": False, "void": False}
    assert [{**each, "id": None} for each in answer.json["items"]] == tried.json["items"]
    assert post_csv(made, written(rows)).json["errors"].keys() == {"2.table", "6.table"}  # they are there already


def test_unplayed_tables_are_left_out_and_a_file_without_deals_is_refused(made: Club) -> None:
    rows = template(made)
    assert "no deal" in post_csv(made, written(rows)).json["detail"]
    fill(rows, "1-2", TAKEN)
    assert [each["table"] for each in post_csv(made, written(rows)).json["items"]] == ["1-2"]


@pytest.mark.parametrize(
    ("before", "delimiter", "end"),
    [(b"", ",", "\n"), (b"\xef\xbb\xbf", ";", "\r\n"), (b"sep=;\r\n", ";", "\r\n"), (b"", "\t", "\r\n"),
     (b"", ",", "\r")],
)  # fmt: skip
def test_a_file_is_read_as_spreadsheets_write_it(unchanged: Club, before: bytes, delimiter: str, end: str) -> None:
    rows = template(unchanged)
    fill(rows, "1-2", TAKEN)
    rows = [[*row, ""] for row in rows] + [[""] * 20]  # Excel's spare cells
    answer = post_csv(unchanged, before + written(rows, delimiter, end), "?preview=true")
    assert (answer.status, len(answer.json["items"])) == (200, 1), answer


def test_members_are_found_by_name_or_id_whatever_their_name_looks_like(made: Club) -> None:
    formula, lines, twin = '=HYPERLINK("http://x")', "Zoë; O'Brien, Jr", "guest 0"
    ids = [joined(made, name=name) for name in (formula, lines, twin)]
    by_name = [["A", "B", "C", *TAKEN], ["'" + formula, lines, made.ids[0], *TAKEN.values()]]
    answer = post_csv(made, written(by_name, ";"))
    assert answer.status == 201, answer
    assert [seat["member"] for seat in answer.json["items"][0]["seats"]] == [*ids[:2], made.ids[0]]
    by_name[1][2] = twin
    errors = post_csv(made, written(by_name)).json["errors"]
    assert errors.keys() == {"2.C"} and "2 members" in errors["2.C"]
    by_name[1][2] = "Nobody"
    assert "'Nobody'" in post_csv(made, written(by_name)).json["errors"]["2.C"]


def test_everything_that_is_wrong_is_said_by_row_and_column_and_nothing_is_kept(made: Club) -> None:
    rows = template(made)
    fill(
        rows, "1-1", {**TAKEN, "taken.JC": "D"}, {**TAKEN, "dealer": "Ana", "misdeal": "maybe"}, {**TAKEN, "deal": "7"}
    )
    fill(rows, "1-2", TAKEN, {**TAKEN, "taken.JC": ""}, {**TAKEN, "declaration.made": "x"})
    before = made.read()["version"]
    answer = post_csv(made, written(rows))
    assert answer.status == 422
    assert answer.json["errors"].keys() == {"2.taken.JC", "3.dealer", "3.misdeal", "4.deal", "8.declaration.seat"}
    assert "'D'" in answer.json["errors"]["2.taken.JC"] and "'maybe'" in answer.json["errors"]["3.misdeal"]
    fill(rows, "1-2", TAKEN, {**TAKEN, "taken.JC": ""}, {"declaration.made": ""})
    fill(rows, "1-1", TAKEN, {**TAKEN, "dealer": "", "misdeal": ""}, {"deal": "3"})
    assert post_csv(made, written(rows)).json["errors"].keys() == {"7.taken.JC"}
    assert made.read()["version"] == before and made.read("/sheets")["items"] == []
    spanish = made.organiser.call(
        "POST", f"{made.path}/sheets", written(rows), Content_Type="text/csv", Accept_Language="es"
    )
    assert spanish.json["errors"] == {"7.taken.JC": "alguien se la llevó"}


BROKEN: list[tuple[bytes, int, set[str]]] = [
    (b"", 422, {"1"}),
    (b"\xff\xfet\x00", 400, set()),
    (b"table\n\0", 400, set()),
    (b'table\n"open', 400, set()),
    (b"table,table\n1-1,1-1\n", 422, {"1.table"}),
    (b"table,colour\n1-1,red\n", 422, {"1.colour"}),
    (b"table,dealer\n1-1,A,B,C\n", 422, {"2"}),
    (b"table,dealer\n7-7,A\n", 422, {"2.table"}),
    (b"A,C,dealer\nx,y,A\n", 422, {"2.A", "2.B", "2.C"}),
    (b"table,played_at,taken.JS\n1-1,yesterday,A\n", 422, {"2.played_at"}),
    (b"dealer\n" + b"A\n" * 6000, 422, {"5001"}),
    (b"table\n" + b"x" * 200_000, 400, set()),
]


@pytest.mark.parametrize(("body", "status", "fields"), BROKEN, ids=[str(body[:25]) for body, *_ in BROKEN])
def test_what_is_no_evening_is_refused_by_name(unchanged: Club, body: bytes, status: int, fields: set[str]) -> None:
    answer = post_csv(unchanged, body)
    assert (answer.status, set(answer.json.get("errors", {}))) == (status, fields), answer


def test_an_evening_of_one_deal_games_is_a_row_a_table(ana: Client) -> None:
    made = club(ana, 1, guests=5, game="mykonos", options={})
    drawn(made, [0, 1, 2], [3, 4, 5])
    rows = template(made)
    assert len(rows) == 3
    money = {"money.A": "40", "money.B": "31", "money.C": "52", "figures.A": "1", "figures.B": "0", "figures.C": "0"}
    fill(rows, "1-1", money)
    fill(rows, "1-2", {**money, "money.A": "-4", "figures.B": "x"})
    errors = post_csv(made, written(rows)).json["errors"]
    assert errors.keys() == {"3.figures.B"}, errors
    fill(rows, "1-2", {"figures.B": "0"})
    assert post_csv(made, written(rows)).json["errors"].keys() == {"3.money.A"}
    fill(rows, "1-2", {"money.A": "+41"})
    answer = post_csv(made, written(rows))
    assert [each["places"] for each in answer.json["items"]] == [[2, 3, 1], [2, 3, 1]]

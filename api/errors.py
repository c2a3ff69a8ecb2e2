"""The one table of problems: code, status, words; and which exception means which. Answers are RFC 9457.

Read beside it: domain/errors.py (what the table refuses), spanish.py (what each refusal says in Spanish). Nothing here
names a card: `legal` is the caller's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import structlog
from flask import Response, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from api.answers import answer, etag
from api.languages import chosen, said, spanish
from api.wire import LIMITS, REQUEST_ID
from domain import errors as refusals
from domain import season_errors as season_refusals
from domain.event import StaleVersionError
from domain.rules import OptionsError
from store.db import UnavailableError
from store.idempotency import KeyReusedError, StillRunningError

MOST_CHARACTERS = 300  # of a text in a problem, which may quote what the client sent
MOST_ERRORS = 50

log = structlog.get_logger("api")


class Problem(NamedTuple):
    """What a code means, in both languages. The Spanish detail is said where a framework's English text has none."""

    status: int
    en: str
    es: str
    detalle: str


PROBLEMS = {
    "malformed": Problem(400, "Malformed request", "Petición mal formada", "La petición no se entiende."),
    "unauthenticated": Problem(401, "Unauthenticated", "Sin identificar", "Hace falta un token válido."),
    "missing_scope": Problem(403, "Missing scope", "Falta un permiso", "El token no tiene el permiso necesario."),
    "not_allowed": Problem(403, "Not allowed", "No permitido", "No tienes derecho a hacer esto."),
    "own_result": Problem(403, "Own result", "Resultado propio", "Lo tiene que confirmar otra persona."),
    "not_yet_open": Problem(403, "Not yet open", "Aún tapado", "Este reparto aún no está a la vista."),
    "not_found": Problem(404, "Not found", "No encontrado", "Aquí no hay nada."),
    "method_not_allowed": Problem(405, "Method not allowed", "Método no permitido", "Mira la cabecera Allow."),
    "not_acceptable": Problem(406, "Not acceptable", "Formato no disponible", "No hay respuesta en ese formato."),
    "not_your_turn": Problem(409, "Not your turn", "No es tu turno", "Ahora no te toca decir nada."),
    "match_not_started": Problem(409, "Match not started", "Partida sin empezar", "Aún no se ha repartido."),
    "match_started": Problem(409, "Match started", "Partida empezada", "Ya se ha repartido."),
    "match_over": Problem(409, "Match over", "Partida terminada", "La partida ha terminado o se ha anulado."),
    "match_not_over": Problem(409, "Match not over", "Partida sin terminar", "La partida aún no ha terminado."),
    "nothing_to_take_back": Problem(
        409, "Nothing to take back", "Nada que retirar", "No hay ninguna palabra que se pueda retirar."
    ),
    "revealed": Problem(409, "Something was revealed", "Se ha visto algo", "Esa palabra ha dejado ver algo."),
    "already_entered": Problem(409, "Already entered", "Ya participas", "Ya participas en este torneo."),
    "event_over": Problem(409, "Event over", "Torneo terminado", "El torneo ha terminado."),
    "seat_taken": Problem(409, "Seat taken", "Sitio ocupado", "Ese sitio no está libre."),
    "already_seated": Problem(409, "Already seated", "Ya tienes sitio", "Ya tienes un sitio en esta partida."),
    "in_progress": Problem(409, "In progress", "En curso", "La primera petición con esta clave sigue en curso."),
    "already_done": Problem(409, "Already done", "Ya hecho", "Ya se hizo; lo que se mostró no se guarda."),
    "season_closed": Problem(409, "Season closed", "Temporada cerrada", "La temporada está cerrada."),
    "still_open": Problem(409, "Still open", "Aún abierto", "Hay algo sin terminar; `open` dice qué."),
    "wrong_status": Problem(409, "Wrong status", "Estado inadecuado", "Tal como está, esto no se puede hacer."),
    "member_taken": Problem(409, "Member taken", "Miembro ocupado", "Ya es miembro, o ya tiene cuenta."),
    "stale_version": Problem(412, "Stale version", "Versión atrasada", "La partida ha avanzado desde esa versión."),
    "too_large": Problem(413, "Too large", "Demasiado grande", "El cuerpo tiene más bytes de los que se admiten."),
    "unsupported_media_type": Problem(
        415, "Unsupported media type", "Formato no admitido", "El cuerpo tiene que ser application/json."
    ),
    "illegal_move": Problem(
        422, "Illegal move", "Jugada ilegal", "Esa palabra no se puede decir ahora; `legal` lista las que sí."
    ),
    "invalid": Problem(422, "Invalid", "No válido", "Algo no vale; `errors` dice qué, campo por campo."),
    "not_member": Problem(
        422, "Not a member", "No es miembro", "Alguien no es de esta temporada; `members` dice quién."
    ),
    "twice_at_table": Problem(
        422, "Twice at a table", "Dos veces en la mesa", "Alguien se sentaría dos veces; `members` dice quién."
    ),
    "guest_at_table": Problem(
        422, "Guest at the table", "Invitado en la mesa", "Un invitado juega en papel, o reclama antes una cuenta."
    ),
    "no_design": Problem(
        422, "No design", "Sin calendario", "No hay calendario cíclico así; `designs` lista los que hay."
    ),
    "idempotency_conflict": Problem(
        422, "Idempotency conflict", "Clave repetida", "Esa clave ya se usó con otro contenido."
    ),
    "forged_cursor": Problem(422, "Forged cursor", "Cursor falso", "Ese cursor no es de esta lista."),
    "rate_limited": Problem(429, "Rate limited", "Demasiadas peticiones", "Espera lo que dice Retry-After."),
    "internal": Problem(500, "Internal error", "Error interno", "Es un fallo nuestro, y ha quedado anotado."),
    "unavailable": Problem(503, "Unavailable", "No disponible", "Vuelve a intentarlo enseguida."),
    "too_many_streams": Problem(503, "Too many streams", "Demasiados flujos", "Vuelve a intentarlo más tarde."),
}

CODES: dict[type[Exception], str] = {
    refusals.IllegalMoveError: "illegal_move",
    refusals.NotYourTurnError: "not_your_turn",
    refusals.NotAllowedError: "not_allowed",
    refusals.NotYetOpenError: "not_yet_open",
    refusals.NoSuchMatchError: "not_found",
    refusals.NoSuchSeatError: "invalid",
    refusals.MatchNotStartedError: "match_not_started",
    refusals.MatchStartedError: "match_started",
    refusals.MatchOverError: "match_over",
    refusals.MatchNotOverError: "match_not_over",
    refusals.NothingToTakeBackError: "nothing_to_take_back",
    refusals.RevealedError: "revealed",
    refusals.AlreadyEnteredError: "already_entered",
    refusals.EventOverError: "event_over",
    refusals.SeatTakenError: "seat_taken",
    refusals.AlreadySeatedError: "already_seated",
    season_refusals.NoSuchEntryError: "not_found",
    season_refusals.NotOrganiserError: "not_allowed",
    season_refusals.NotAtTableError: "not_allowed",
    season_refusals.OwnResultError: "own_result",
    season_refusals.SeasonClosedError: "season_closed",
    season_refusals.StillOpenError: "still_open",
    season_refusals.WrongStatusError: "wrong_status",
    season_refusals.MemberTakenError: "member_taken",
    season_refusals.NotMemberError: "not_member",
    season_refusals.TwiceAtTableError: "twice_at_table",
    season_refusals.GuestAtTableError: "guest_at_table",
    season_refusals.NoDesignError: "no_design",
    StaleVersionError: "stale_version",
    OptionsError: "invalid",
    ValidationError: "invalid",
    KeyReusedError: "idempotency_conflict",
    StillRunningError: "in_progress",
    UnavailableError: "unavailable",
}

HTTP_CODES = {problem.status: code for code, problem in reversed(PROBLEMS.items())}  # the first of each status


class ProblemError(Exception):
    """A refusal by the API itself, under one of the codes; `errors`, by field, and `facts` are shown with it."""

    def __init__(self, code: str, detail: str, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        super().__init__(detail)
        self.code, self.headers = code, dict(headers or {})
        self.errors, self.facts = facts.pop("errors", {}), facts


def invalid(field: str, what: str) -> ProblemError:
    """422, with what is wrong about one field."""
    return ProblemError("invalid", f"{field}: {what}", errors={field: what})


def problem(error: Exception) -> Response:
    """The answer to whatever went wrong."""
    code = noted(error)
    row, language = PROBLEMS[code], chosen(request.accept_languages)
    faults = {_cut(field): _cut(_said(what, language)) for field, what in list(_faults(error).items())[:MOST_ERRORS]}
    content = {
        "type": f"urn:tapete:problem:{code}",
        "title": row.es if language == "es" else row.en,
        "status": row.status,
        "detail": _cut(_detail(error, code, language, faults)),
        "instance": request.path[:MOST_CHARACTERS],
        "code": code,
        **_facts(error),
        **({"errors": faults} if faults else {}),
    }
    headers = {**request.environ.get(LIMITS, {}), **_headers(error, code), "Content-Language": language}
    return answer(content, row.status, headers, "application/problem+json")


def noted(error: Exception) -> str:
    """The code of whatever went wrong; what is our fault is in the log."""
    code = _code(error)
    if code == "internal":
        log.error("our fault", exc_info=error, path=request.path, request_id=request.environ.get(REQUEST_ID))
    return code


def _code(error: Exception) -> str:
    if isinstance(error, ProblemError):
        return error.code
    if isinstance(error, HTTPException):
        return HTTP_CODES.get(error.code or 500, "malformed" if (error.code or 500) < 500 else "internal")
    return next((CODES[kind] for kind in type(error).__mro__ if kind in CODES), "internal")


def _detail(error: Exception, code: str, language: str, faults: Mapping[str, str]) -> str:
    if faults:
        return "; ".join(f"{field}: {what}" for field, what in faults.items())
    text = _english(error, code)
    return text if language == "en" else spanish(text) or PROBLEMS[code].detalle


def _english(error: Exception, code: str) -> str:
    if code == "internal":
        return "This is our fault, and it has been noted."
    if isinstance(error, UnavailableError):
        return "The database does not answer. Whether a write was done is known when it is asked again with its key."
    return str(error.description) if isinstance(error, HTTPException) else str(error)


def _faults(error: Exception) -> Mapping[str, Sequence[str]]:
    """What is wrong, by field: sentences in English."""
    if isinstance(error, ValidationError):
        return flat(error.messages)
    if isinstance(error, refusals.NoSuchSeatError):
        return {"seat": [str(error)]}
    found = getattr(error, "errors", {}) if isinstance(error, OptionsError | ProblemError) else {}
    return {field: [what] for field, what in found.items()}


def _said(what: Sequence[str], language: str) -> str:
    return " ".join(said(text, language) for text in what)


def _facts(error: Exception) -> dict[str, Any]:
    if isinstance(error, StaleVersionError):
        return {"version": error.version}
    return getattr(error, "facts", {})


def _headers(error: Exception, code: str) -> dict[str, str]:
    if isinstance(error, ProblemError) and error.headers:
        return error.headers
    if isinstance(error, StaleVersionError):
        return etag(error.version)
    if isinstance(error, UnavailableError):
        return {"Retry-After": str(error.retry_after_seconds)}
    if code == "unauthenticated":
        return {"WWW-Authenticate": "Bearer"}
    methods = getattr(error, "valid_methods", None)
    return {"Allow": ", ".join(sorted(methods))} if methods else {}


def flat(messages: Any, path: str = "") -> dict[str, list[str]]:
    """marshmallow's nested messages by field path: seats.0.player."""
    if isinstance(messages, dict):
        found: dict[str, list[str]] = {}
        for name, below in messages.items():
            found |= flat(below, path if name == "_schema" else f"{path}.{name}".lstrip("."))
        return found
    return {path or "body": [str(text) for text in messages] if isinstance(messages, list) else [str(messages)]}


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"

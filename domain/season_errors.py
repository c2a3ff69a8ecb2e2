"""What a season refuses, by name; like errors.py for a match. `facts` travel with each.

What is wrong with a field (an unknown scheme, an impossible tally) is an OptionsError that names it: rules.py.
"""

from __future__ import annotations

from domain.errors import RefusedError


class NoSuchEntryError(RefusedError):
    """The season has no member, table, sheet, result or adjustment of this id; `what` and `id` say which."""


class NotOrganiserError(RefusedError):
    """Only an organiser of the league may do this."""


class NotAtTableError(RefusedError):
    """Only who sits at this table, or an organiser, may do this."""


class OwnResultError(RefusedError):
    """Nobody confirms what he has submitted himself: a second member of the table, or an organiser who is none."""


class SeasonClosedError(RefusedError):
    """The season is closed: only corrections, adjustments and reopening are left."""


class StillOpenError(RefusedError):
    """Something is not finished yet; `open` lists the ids of tables, sheets and results that wait."""


class WrongStatusError(RefusedError):
    """The sheet or result is not in a state where this can be done; `state` says in which it is."""


class MemberTakenError(RefusedError):
    """The player is a member already, or the guest has been claimed."""


class NotMemberError(RefusedError):
    """Somebody named is no member of this season, or has left it; `members` lists them."""


class TwiceAtTableError(RefusedError):
    """Somebody would sit, or be sat for, twice; `members` lists them."""


class GuestAtTableError(RefusedError):
    """A guest without an account cannot play a match; `members` lists them."""


class NoDesignError(RefusedError):
    """There is no cyclic schedule for this many members at tables of this size; `designs` lists those there are."""

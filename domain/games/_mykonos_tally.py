"""What a tally of Mýkonos can be: sections 1.1, 2.5 and 3.2 of mykonos.md. Read beside it: mykonos.py (`tally`)."""

from __future__ import annotations

from typing import Any

from domain.paper import NUMBER, Field, Paper
from domain.tallies import Faults, field_faults, list_faults, merged, total, whole, whole_list

FIELDS = ("money", "figures", "accounts")
ROUNDS = {2: 10, 3: 9, 4: 8}
START, INCOME, HAND_LIMIT, FIGURES = 5, 2, 5, 12
BEST_SALE = 15


def check(options: object, seats: list[int], tally: Any) -> Faults:
    rounds, size = ROUNDS[len(seats)], len(seats)
    most = START + rounds * (BEST_SALE + INCOME + 1 + FIGURES)
    faults = field_faults(tally, FIELDS) or {
        **whole_list("money", tally["money"], size, INCOME, most),  # the last income comes after all buying
        **whole_list("figures", tally["figures"], size, 0, HAND_LIMIT),
    }
    return (
        faults
        or total("figures", sum(tally["figures"]), 0, FIGURES, "figures")
        or _accounts(tally["accounts"], tally["money"], rounds, most)
    )


def _accounts(accounts: Any, money: list[int], rounds: int, most: int) -> Faults:
    """Null on paper; where they are given they say where all the money comes from (3.2)."""
    if accounts is None:
        return {}
    return list_faults("accounts", accounts, len(money)) or merged(
        {f"accounts.{seat}.{name}".rstrip("."): what for name, what in _account(account, has, rounds, most).items()}
        for seat, (account, has) in enumerate(zip(accounts, money, strict=True))
    )


def _account(account: Any, money: int, rounds: int, most: int) -> Faults:
    bounds = {
        "start": (START, START), "purchases": (-most, 0), "sales": (0, BEST_SALE * rounds * HAND_LIMIT),
        "income": (INCOME * rounds, INCOME * rounds), "no_purchase": (0, rounds),
        "figure_income": (0, FIGURES * rounds),
    }  # fmt: skip
    faults = field_faults(account, list(bounds)) or merged(
        whole(name, account[name], *within) for name, within in bounds.items()
    )
    return faults or total("", sum(account.values()), money, money, "in money")


# On paper


def paper(options: object, seats: int) -> Paper:
    """Money and figures; accounts are for those who count along (3.2)."""
    fields = [
        Field("money.*", NUMBER, "Money", "Dinero"),
        Field("figures.*", NUMBER, "Figures in hand", "Figuras en mano"),
    ]
    return Paper(fields, lambda written: {**written, "accounts": None})

"""Participants: separate names for a player's settings and versions, if a selection has several."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

__all__ = ["Participant", "Variant", "named", "settings_of", "version_of"]


def version_of(alias: str) -> str:
    """Return SQL for a player's version with its settings; `alias` is a table with columns `version` and `params`."""
    return f"array_to_string(list_prepend({alias}.version, {settings_of(alias)}), ':')"


def settings_of(alias: str) -> str:
    """Return SQL for a player's settings as a sorted list of `name=value`."""
    setting = f"json_extract({alias}.params, '$.\"' || k || '\"')"
    number = f"format('{{:g}}', {setting}::double)"
    shown = f"case when json_type({setting}) = 'DOUBLE' then {number} else coalesce({setting} ->> '$', 'null') end"
    return f"list_transform(list_sort(json_keys({alias}.params)), lambda k: k || '=' || {shown})"


MOST_APART: Final = 12
"""Maximum number of variants of a player with separate rows; all further variants share one row."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A player with certain settings (sorted `name=value`) and version; `called` is its name in filters."""

    player: str
    version: str
    settings: tuple[str, ...]
    called: str
    cohorts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Participant:
    """Subject of a row in a figure: `name` is displayed, and the filter `key=value` selects its matches."""

    player: str
    name: str
    key: str
    value: str
    cohorts: tuple[int, ...]


def named(variants: Iterable[Variant], chosen: Iterable[str] = ()) -> list[Participant]:
    """Return the participants for each player that has several variants, in the order of players.

    A participant's name is the player's, with the settings that differ between variants, and the version if it differs.
    If there are more than `MOST_APART` variants, only those `chosen` by a filter are separate. The others form one
    participant called mixed.
    """
    found: list[Participant] = []
    wanted = frozenset(chosen)
    for player, group in groupby(variants, key=lambda each: each.player):
        every = list(group)
        if len(every) > 1:
            apart = every if len(every) <= MOST_APART else [each for each in every if each.called in wanted]
            mixed = [each for each in every if each not in apart]
            names = _names(every)
            found += [Participant(player, names[each.called], "version", each.called, each.cohorts) for each in apart]
            if mixed:
                cohorts = tuple(cohort for each in mixed for cohort in each.cohorts)
                found.append(Participant(player, _mixed(player, mixed), "player", player, cohorts))
    return found


def _names(variants: list[Variant]) -> dict[str, str]:
    common = set.intersection(*(set(each.settings) for each in variants))
    has_versions = len({each.version for each in variants}) > 1
    names = {
        each.called: " ".join(
            [
                each.player,
                *([each.version] if has_versions else []),
                *(setting for setting in each.settings if setting not in common),
            ]
        )
        for each in variants
    }
    return names if len(set(names.values())) == len(names) else {each.called: each.called for each in variants}


def _mixed(player: str, variants: list[Variant]) -> str:
    what = "settings" if len({each.version for each in variants}) == 1 else "versions"
    return f"{player} ({len(variants)} {what} mixed)"

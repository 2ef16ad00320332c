"""The figures of The Climbers: why a player wins, where climbers stand, when matches are decided."""

from typing import Final

from dashboards.games.climbers import actions as deeds
from dashboards.games.climbers import outcomes as endings
from dashboards.games.climbers import progress as courses
from dashboards.games.climbers import traffic
from dashboards.games.figure import BY_OUTCOME, BY_ROUND, Figures, Table, by_ending, interval, of_wins
from dashboards.games.shared.winners_vs_losers import winner_finding

__all__ = ["CLIMBERS"]

OF_PLAYER: Final = {"played": "Seats", "groups": "Lucks"}


def _quartiles(name: str) -> dict[str, str]:
    return {f"{name}_lower": "Lower quartile", f"{name}_median": "Median", f"{name}_upper": "Upper quartile"}


TABLES: Final = (
    Table(
        "levels",
        "How high climbers got",
        "why",
        endings.levels,
        {
            "player": "Player",
            "seats": "Seats",
            "groups": "Lucks",
            **interval("level_reached", "Mean"),
            **_quartiles("level_reached"),
        },
        endings.level_finding,
    ),
    Table(
        "levels-gained",
        "Levels gained in own and others' turns",
        "why",
        deeds.gained,
        {"player": "Player", "kind": "When", **OF_PLAYER, **interval("levels_gained", "Levels a match")},
        deeds.gained_finding,
    ),
    Table(
        "ladders",
        "Ladders left, and what spent ones brought",
        "why",
        deeds.ladders,
        {"player": "Player", "kind": "What", **OF_PLAYER, **interval("ladders", "A match")},
        deeds.ladder_finding,
        is_wide=True,
    ),
    Table(
        "blocks",
        "Blocks moved",
        "why",
        deeds.blocks,
        {"player": "Player", "kind": "What", **OF_PLAYER, **interval("blocks", "A match")},
        deeds.block_finding,
        is_wide=True,
    ),
    Table(
        "discs",
        "Blocking discs",
        "why",
        deeds.discs,
        {
            "player": "Player",
            **OF_PLAYER,
            **interval("disc_turn", "In turn"),
            **interval("disc_hindered", "Others hindered"),
            **interval("disc_share", "Laid"),
        },
        deeds.disc_finding,
        is_wide=True,
    ),
    Table(
        "hindered",
        "Steps taken away",
        "why",
        deeds.hindered,
        {"player": "Player", "kind": "What", **OF_PLAYER, **interval("hindrances", "Times a match")},
        deeds.hindered_finding,
        is_wide=True,
    ),
    Table(
        "hindered-by",
        "Who is hindered by whom",
        "why",
        deeds.hinderers,
        {
            "player": "Player",
            "other": "By",
            "pairs": "Pairs of seats",
            "groups": "Lucks",
            **interval("hindered_by", "Times a match"),
        },
        deeds.hinderer_finding,
    ),
    Table(
        "more-of",
        "What winners have more of than losers",
        "why",
        deeds.more_of,
        {
            "kind": "What",
            "won_mean": "Winners",
            "lost_mean": "Losers",
            "groups": "Lucks",
            **interval("winner_difference", "Difference"),
            "winner_difference_p": "p",
            "winner_difference_holm": "p (Holm)",
        },
        winner_finding,
        BY_OUTCOME,
    ),
    Table(
        "levels-by-turn",
        "How high, turn by turn",
        "why",
        endings.levels_by_turn,
        {
            "figure": "What",
            "player": "Player",
            "round": "Turn",
            "seats": "Seats",
            "level_after": "Mean",
            **_quartiles("level_after"),
        },
        endings.turn_level_finding,
        BY_ROUND,
        is_wide=True,
    ),
    Table(
        "squares",
        "Squares stood on",
        "where",
        traffic.squares,
        {
            "square_x": "x",
            "square_y": "y",
            "stands": "Stands",
            "groups": "Lucks",
            **interval("stand_share", "Share"),
        },
        traffic.square_finding,
        BY_ROUND,
    ),
    Table(
        "levels-stood",
        "Levels stood on",
        "where",
        traffic.levels_stood,
        {"level": "Level", "levels_stood": "Stands", "groups": "Lucks", **interval("level_share", "Share")},
        traffic.level_stood_finding,
        BY_ROUND,
    ),
    Table(
        "ways-to-win",
        "Wins by level, and by coming there first",
        "when",
        endings.ways,
        {
            "players": "At a table of",
            "ending": "Won as",
            "matches": "Matches",
            "of_matches": "Of",
            "groups": "Lucks",
            **interval("way_share", "Share"),
        },
        endings.way_finding,
        BY_OUTCOME,
        narrows=by_ending,
    ),
    Table(
        "turns-taken",
        "Turns taken",
        "when",
        courses.turns_taken,
        {
            "players": "At a table of",
            "matches": "Matches",
            "groups": "Lucks",
            **interval("turns_taken", "Mean"),
            **_quartiles("turns_taken"),
        },
        courses.turns_finding,
        BY_OUTCOME,
    ),
    Table(
        "decisive-turn",
        "When matches are decided",
        "when",
        courses.decisive_turn,
        {
            "round": "Turn",
            "matches": "Matches",
            "groups": "Lucks",
            **interval("decided_share", "Decided then"),
            **interval("decided_by", "Decided by then"),
        },
        courses.decisive_finding,
        BY_ROUND,
    ),
    Table(
        "from-last",
        "Wins from behind",
        "when",
        courses.from_last,
        {
            "player": "Player",
            "wins": "Wins",
            "comebacks": "From behind",
            "groups": "Lucks",
            **interval("from_last_share", "Share of wins"),
        },
        courses.behind_finding,
        BY_OUTCOME,
        narrows=of_wins,
    ),
    Table(
        "in-a-match",
        "What happens in a match",
        "when",
        courses.happenings,
        {
            "kind": "What",
            "players": "At a table of",
            "matches": "Matches",
            "groups": "Lucks",
            **interval("happens", "Times a match"),
            **_quartiles("happens"),
        },
        courses.happening_finding,
    ),
)
CLIMBERS: Final = Figures(
    TABLES,
    compared=("levels", "levels-gained", "hindered", "levels-by-turn"),
    why="What own and others' turns, ladders, blocks and discs have to do with it.",
)

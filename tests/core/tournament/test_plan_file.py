"""Tournament files: every key, and every error."""

from pathlib import Path

import pytest

from himalaya_core.tournament.plan import Plan, Schedule, Seating, TournamentError
from himalaya_core.tournament.runner import Question, read_plan
from himalaya_core.tournament.sequential import EloModel, SequentialTest

ROOT = Path(__file__).parents[3]
LEAST = 'name = "cup"\ngame = "caravan"\nplayers = ["random", "greedy", "random"]\n'
FULL = """
name = "cup"
game = "caravan"
players = ["envoy", "pilgrim", "trader", "greedy", "random"]
schedule = "ladder"
seats = 3
seating = "every"
seeds = 5
board = "tilsit-reconstructed"
out = "logs/cup"

[options]
tokens = true
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text)
    return path


def test_only_three_keys_are_required(tmp_path: Path) -> None:
    plan, out, question = read_plan(written(tmp_path, LEAST))
    assert plan == Plan("cup", "caravan", ("random", "greedy", "random"), 200)
    assert question is None
    assert out is None


def test_every_key_is_read(tmp_path: Path) -> None:
    plan, out, _ = read_plan(written(tmp_path, FULL))
    assert (plan.schedule, plan.seating, plan.seats, plan.matches) == (Schedule.LADDER, Seating.EVERY, 3, 5 * 3 * 6)
    assert (plan.options, plan.board, out) == ({"tokens": True}, Path("tilsit-reconstructed"), tmp_path / "logs/cup")


def test_a_board_next_to_the_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "map.json").touch()
    plan, _, _ = read_plan(written(tmp_path, LEAST + 'board = "map.json"'))
    assert plan.board == tmp_path / "map.json"


def test_a_question_is_read_and_limits_a_plan_without_a_length(tmp_path: Path) -> None:
    asked = LEAST + '[until_decided]\ncompare = ["greedy", "random"]\nelo1 = 5\nalpha = 0.01\nelo_model = "normalized"'
    plan, _, question = read_plan(written(tmp_path, asked))
    assert question == Question(("greedy", "random"), SequentialTest(0, 5, 0.01, 0.05, EloModel.NORMALIZED))
    assert plan.matches == 99_999
    plan, _, question = read_plan(written(tmp_path, LEAST + "seeds = 7\n[until_decided]"))
    assert (plan.matches, question) == (21, Question(None, SequentialTest()))


DECIDED = LEAST + "[until_decided]\n"


def test_a_seat_counts_from_1_and_an_old_name_of_a_key_still_works(tmp_path: Path):
    plan, _, _ = read_plan(written(tmp_path, LEAST + "lucks = 7\n[options]\nfirst = 2"))
    assert (plan.matches, plan.options) == (21, {"first": 1})


WRONG = {
    "no TOML": ("name = ", "this is not TOML at end of document"),
    "an unknown key": (LEAST + "speed = 9", "key 'speed' is unknown; there are name, game, players, schedule"),
    "a missing key": ('name = "cup"\ngame = "caravan"', "players is missing: a list of players such as"),
    "a name with a space": (
        LEAST.replace("cup", "a cup"),
        "name: expected 1 to 57 of A-Z a-z 0-9 . _ -, found 'a cup'",
    ),
    "an unknown game": (
        LEAST.replace("caravan", "chess"),
        "game: expected one of caravan, summit, climbers, found 'chess'",
    ),
    "players in one text": ('name="c"\ngame="caravan"\nplayers="random,greedy"', "players: expected a list of players"),
    "a player that is a number": ('name="c"\ngame="caravan"\nplayers=[1,2,3]', "players: expected a list of players"),
    "an unknown player": (LEAST.replace("greedy", "zen"), "player 'zen' is unknown"),
    "an unknown schedule": (LEAST + 'schedule = "cup"', "schedule: expected one of fixed, all, ladder, found 'cup'"),
    "an unknown seating": (LEAST + 'seating = "once"', "seating: expected one of rotate, every, found 'once'"),
    "a number as text": (LEAST + 'seeds = "5"', "seeds: expected a whole number from 1, found '5'"),
    "a flag as number": (LEAST + "matches = true", "matches: expected a whole number from 1, found true"),
    "no match": (LEAST + "matches = 0", "matches: expected a whole number from 1, found 0"),
    "seeds and matches": (LEAST + "seeds = 1\nmatches = 3", "give either seeds or matches"),
    "no seat": (LEAST + "[options]\nfirst = 0", "option first: expected a seat from 1 to 3, found 0"),
    "an unknown option": (LEAST + "[options]\nspeed = 9", "option 'speed' is unknown"),
    "an option of another type": (LEAST + "[options]\ntokens = 1", "option tokens: expected true or false, found 1"),
    "an unknown part of a question": (DECIDED + "elo2 = 1", "key 'until_decided.elo2' is unknown; there are compare"),
    "a bound as text": (DECIDED + 'elo1 = "5"', "until_decided.elo1: expected a number, found '5'"),
    "an unknown model": (
        DECIDED + 'elo_model = "bayes"',
        "until_decided.elo_model: expected one of logistic, normalized, found 'bayes'",
    ),
    "one to compare": (DECIDED + 'compare = ["greedy"]', "until_decided.compare: expected two players such as"),
    "bounds the wrong way round": (DECIDED + "elo1 = -1", "until_decided: expected elo0 below elo1"),
    "a question that is none": (LEAST + "until_decided = true", "until_decided: expected a table such as"),
    "too many seats": (LEAST + "seats = 4", "a fixed line-up of 3 players has as many seats; you gave 4"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_an_error_names_the_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TournamentError) as wrong:
        read_plan(written(tmp_path, text))
    assert str(wrong.value).startswith(f"{tmp_path / 'cup.toml'}: {message}")


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(TournamentError, match=r"no\.toml: No such file or directory"):
        read_plan(tmp_path / "no.toml")


def test_the_example_in_the_docs_means_what_the_docs_say() -> None:
    plan, out, _ = read_plan(ROOT / "docs" / "tournament.toml")
    assert (plan.matches, plan.schedule, plan.seats) == (200, Schedule.ALL, 4)
    assert out is not None

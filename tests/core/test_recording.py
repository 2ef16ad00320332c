"""A match on paper becomes a log with the same events; impossible entries are refused."""

from pathlib import Path

import pytest

from himalaya_core.api import play
from himalaya_core.boards import shipped_board
from himalaya_core.cli.main import main
from himalaya_core.games import GAMES
from himalaya_core.players.named import make_player
from himalaya_core.record_file import RecordFileError, file_of, recording_of
from himalaya_core.recording import PERSON, Recording, RecordingError
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.tournament.reproducibility import ask
from himalaya_core.verification import DiceVerdict, judge
from tests.core.log.damage import resign

EVERY = {
    "caravan": (["random", "greedy", "trader"], {"tokens": True, "first": 2}),
    "summit": (["random", "greedy"], {}),
    "climbers": (["random", "greedy"], {"first": 1}),
}
HEAD = "game caravan\nplayers Anna, Ben, Chris\n---\n"


@pytest.fixture(params=EVERY)
def replay(request: pytest.FixtureRequest) -> Replay:
    players, options = EVERY[request.param]
    return play(request.param, players, seed="paper", options=options).replay


def test_a_whole_match_recorded_from_paper_has_the_same_events(replay: Replay, tmp_path: Path) -> None:
    paper = tmp_path / "match.txt"
    paper.write_text(file_of(replay), "utf-8")
    recording = recording_of(paper)
    log = recording.log("table").splitlines(keepends=True)
    again = Replay.read(log)
    assert [entry.event for entry in again.entries[1:-1]] == [entry.event for entry in replay.entries[1:-1]]
    assert again.header.options == replay.header.options
    assert (again.header.luck, again.header.tournament) == (None, None)
    assert {seat.version for seat in again.header.seats} == {PERSON}
    assert judge(log).departure is None
    assert file_of(again) == file_of(replay)
    assert recording.notation()[-1] in file_of(replay)


def test_an_unfinished_match_is_recorded_and_can_be_continued(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = tmp_path / "sunday club.txt"
    paper.write_text(f"{HEAD}14 ssstj  # the first refill\n\n", "utf-8")
    assert main(["record", str(paper), "--out", str(tmp_path / "a.jsonl")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("sunday-club: 1 entry, unfinished; next, what fell: ")
    replay = Replay.read((tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True))
    assert replay.ended is None
    assert [seat.player for seat in replay.header.seats] == ["Anna", "Ben", "Chris"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game chess\nplayers A, B\n---\n", "1: game: expected one of"),
        ("game caravan\n---\n", "2: expected a line 'players' before ---, found none"),
        ("game summit\nplayers A, B\ngame summit\n---\n", "3: game: expected one such line, found another in line 1"),
        ("players A, B\nboard nowhere.json\ngame summit\n---\n", "2: nowhere.json: No such file or directory"),
        ("players A\ncolour red\n", "2: expected game, players, board, option or ---, found 'colour'"),
        ("game caravan\nplayers A, B, C\n", "3: expected a line ---"),
        ("game caravan\nplayers A, B, C\noption token\n---\n", "3: option: expected one of"),
        ("game caravan\nplayers A, B, C\noption tokens=maybe\n---\n", "3: option: expected on or off"),
        ("game caravan\nplayers A, B, C\noption first=x\n---\n", "3: option first: expected the number of a seat,"),
        ("game caravan\nplayers A, B, C\noption first=0\n---\n", "3: option first: expected the number of a seat"),
        (
            "game caravan\nplayers A, B, C\noption first=4\n---\n",
            "3: option first: expected a seat from 1 to 3, found 4",
        ),
        ("game caravan\nplayers A, B\n---\n", "2: players: caravan needs 3 to 6 players; you named 2"),
        (f"{HEAD}14 ssstj\n\n99 x\n", "6: expected what fell: the die and the cubes drawn"),
        (f"{HEAD}14 ssstj; 14 ssssss\n", "4: "),
        (f"{HEAD}14 sssssssss\n", "4: expected 5 cubes that are in the bag, found 9 salt; expected what fell"),
    ],
)
def test_an_impossible_entry_is_reported_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    paper = tmp_path / "m.txt"
    paper.write_text(text, "utf-8")
    with pytest.raises(RecordFileError) as caught:
        recording_of(paper)
    assert str(caught.value).startswith(f"{paper}:{said}")


def test_names_can_contain_commas_and_comment_signs(tmp_path: Path) -> None:
    names = ("Anna, of #1", 'Ben "the fox"', "Chris")
    paper = tmp_path / "m.txt"
    paper.write_text('game caravan  # "or" not\nplayers "Anna, of #1", "Ben ""the fox""", Chris # 3\n---\n', "utf-8")
    recording = recording_of(paper)
    assert recording.players == names
    recording.add("14 ssstj")
    again = file_of(Replay.read(recording.log("m").splitlines(keepends=True)))
    paper.write_text(again, "utf-8")
    assert recording_of(paper).players == names


def test_the_starting_seat_counts_from_one_on_paper(tmp_path: Path) -> None:
    paper = tmp_path / "m.txt"
    paper.write_text("game caravan\nplayers A, B, C\noption first=1\n---\n", "utf-8")
    recording = recording_of(paper)
    assert recording.options == {"first": 0}
    assert "option first=1\n" in file_of(Replay.read(recording.log("m").splitlines(keepends=True)))


def test_an_illegal_entry_changes_nothing_and_undo_removes_entries() -> None:
    replay = play("caravan", ["greedy"] * 3, seed="undo").replay
    recording = Recording(GAMES["caravan"], shipped_board("caravan"), ("A", "B", "C"), {})
    chosen = [entry.action for entry in replay.entries if entry.action is not None]
    for number, action in enumerate(chosen[:30]):
        recording.add_action(action, f"2026-11-25T10:00:{number:02}Z")
    before = recording.log("t")
    with pytest.raises(RecordingError, match="expected"):
        recording.add_action(chosen[0])
    with pytest.raises(RecordingError, match="expected 0 to 30 entries"):
        recording.undo(31)
    assert recording.log("t") == before
    assert b'"at":"2026-11-25T10:00:29Z"' in before
    assert judge(before.splitlines(keepends=True)).departure is None
    recording.undo(12)
    for number, action in enumerate(chosen[12:30], start=12):
        recording.add_action(action, f"2026-11-25T10:00:{number:02}Z")
    assert recording.log("t") == before


def test_the_command_prints_a_sheet_and_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--sheet", "summit"]) == 0
    assert "<dt>die FACE PAWN +|- [with:PAWNS]</dt>" in capsys.readouterr().out
    play("summit", ["greedy", "racer"], seed="printed", out=tmp_path / "p.jsonl")
    assert main(["record", "--from", str(tmp_path / "p.jsonl")]) == 0
    assert capsys.readouterr().out.startswith("game summit\nplayers greedy, racer\n---\n")
    assert main(["record"]) != 0
    assert "give one of FILE, --from LOG and --sheet GAME" in capsys.readouterr().err


def test_drawn_dice_follow_the_seed_in_the_log() -> None:
    replay = play("summit", ["greedy", "racer"], seed="drawn").replay
    programs = {1: make_player(GAMES["summit"], "racer", "drawn|racer|1")}
    recording = Recording(
        GAMES["summit"], shipped_board("summit"), ("Anna", "racer"), {}, programs=programs, luck="drawn"
    )
    for entry in replay.entries:
        if entry.action is not None and entry.seat is None:
            assert recording.draw(Seed("drawn")) == entry.action
        elif entry.action is not None:
            recording.add_action(entry.action)
    lines = recording.log("t").splitlines(keepends=True)
    assert (judge(lines).departure, judge(lines).dice) == (None, DiceVerdict.FOLLOWS)
    assert [(seat.player, seat.version) for seat in Replay.read(lines).header.seats] == [
        ("Anna", PERSON),
        ("racer", replay.header.seats[1].version),
    ]
    answers = [(str(each.verdict), each.reason) for each in ask(lines)]
    assert answers == [("not asked", "a person decided"), ("repeats", None)]
    with pytest.raises(RecordingError, match="expected nothing more: the match is over; nothing is drawn here"):
        recording.draw(Seed("drawn"))


@pytest.mark.slow("another file of a match")
def test_positions_and_logs_before_each_entry_are_available(replay: Replay) -> None:
    header = replay.header
    options = {key: value for key, value in header.options.items() if key != "players"}
    names = tuple("ABC"[: len(header.seats)])
    recording = Recording(replay.game, replay.board, names, options)
    logs = [recording.log("t")]
    entered = [at for at, entry in enumerate(replay.entries) if entry.action is not None]
    for at in entered:
        recording.add_action(replay.entries[at].action)
        logs.append(recording.log("t"))
    assert recording.positions == [*(replay.states[at - 1] for at in entered), replay.states[-1]]
    for number in range(len(logs)):
        assert recording.log("t", number) == logs[number]
    for number in (len(entered) // 2, 1, 0):
        recording.undo(number)
        assert recording.log("t") == logs[number]


@pytest.mark.parametrize("name", ["", "a\tb", "x" * 61])
def test_a_name_that_cannot_be_written_is_refused(name: str) -> None:
    with pytest.raises(RecordingError, match=r"^players: expected names "):
        Recording(GAMES["summit"], shipped_board("summit"), ("Anna", name), {})


def test_a_player_with_two_spellings_is_reported_and_recorded_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = tmp_path / "m.txt"
    paper.write_text("game caravan\nplayers Zoë, Ben, Zoe\u0308\n---\n", "utf-8")
    assert main(["record", str(paper), "--out", str(tmp_path / "m.jsonl")]) == 0
    note = "note: 'Zoe\\u0308' and 'Zo\\xeb' are one player; the log has the second spelling\n"
    assert capsys.readouterr().err == note
    replay = Replay.read((tmp_path / "m.jsonl").read_bytes().splitlines(keepends=True))
    assert [seat.player for seat in replay.header.seats] == ["Zoë", "Ben", "Zoë"]


@pytest.mark.slow("another name")
def test_an_odd_name_in_a_log_is_kept_and_shown_readably(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = play("summit", ["greedy", "racer"], seed="shown").log.splitlines(keepends=True)
    named = lines[0].replace(b'"greedy"', '"\u202egreedy"'.encode()).replace(b'"racer"', b'"%s"' % (b"x" * 200))
    log = tmp_path / "m.jsonl"
    log.write_bytes(b"".join(resign([named, *lines[1:]])))
    for command in ("show", "review"):
        assert main([command, str(log)]) == 0
        shown = capsys.readouterr().out
        assert "⟨U+202E⟩greedy" in shown
        assert "\u202e" not in shown
        assert f"{'x' * 59}…" in shown
        assert "x" * 60 not in shown

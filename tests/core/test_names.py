"""The error for an unknown name suggests the most similar names."""

import pytest

from himalaya_core.names import did_you_mean, entered_names, normalize_name, one_player, shown_name, visible

KNOWN = ("spring", "autumn", "winter-a", "winter-b", "Winter-c")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sprng", "; did you mean 'spring'?"),
        ("AUTUMN", "; did you mean 'autumn'?"),
        ("winter-C", "; did you mean 'Winter-c' or 'winter-b' or 'winter-a'?"),
        ("zzz", ""),
        ("", ""),
        ("x" * 1_000_000, ""),
    ],
)
def test_the_nearest_names_are_suggested(name: str, said: str) -> None:
    assert did_you_mean(name, KNOWN) == said


def test_different_spellings_of_one_name_look_different() -> None:
    said = r"'Zoe\u0308' and 'Zoë' and 'Zoë ' count as one player"
    assert one_player(["Zoe\u0308", "Zoë", "Zoë "]) == said


@pytest.mark.parametrize(
    ("written", "compared"),
    [("greedy ", "greedy"), ("Zoe\u0308", "Zo\u00eb"), (" Anna \t Maria ", "Anna Maria"), ("Anna", "Anna"), ("", "")],
)
def test_names_are_compared_without_invisible_differences(written: str, compared: str) -> None:
    assert normalize_name(written) == compared


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("ab\u202egreedy", "ab⟨U+202E⟩greedy"),
        ("greedy\u200d\u200b", "greedy⟨U+200D⟩⟨U+200B⟩"),
        ("a\x1b[31m\n", "a⟨U+001B⟩[31m⟨U+000A⟩"),
        ("می\u200cم", "می\u200cم"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("Zoë 李明", "Zoë 李明"),
    ],
)
def test_invisible_characters_are_written_out(written: str, seen: str) -> None:
    assert visible(written) == seen


def test_a_shown_name_has_at_most_sixty_letters() -> None:
    assert shown_name("x" * 60) == "x" * 60
    assert shown_name("x" * 200) == "x" * 59 + "…"


def test_equal_entered_names_take_the_first_spelling() -> None:
    assert entered_names(["Zoë", "Ben", "Zoe\u0308"]) == {"Zoë": "Zoë", "Ben": "Ben", "Zoe\u0308": "Zoë"}


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\u202eb", "a\x85b", "a\nb"])
def test_empty_long_and_control_character_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^expected names "):
        entered_names(["Anna", name])

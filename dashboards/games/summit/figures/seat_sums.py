"""Summit figures by seat and kind: actions and results per match."""

from typing import Final

from dashboards.games.shared.seat_sums import Kind, SeatSums
from dashboards.games.summit.terms import SEATS
from dashboards.stats.intervals import ANY, COUNT
from dashboards.stats.words import hundredths

__all__ = ["CARDS", "CLIMBED", "FALLS", "LOSS"]

LOSS: Final = (float("-inf"), 0.0)
"""Range of fields lost, which count below zero."""
CARDS: Final = SeatSums(
    name="cards",
    title="Supply cards",
    table=SEATS,
    value="cards",
    definition="Supply cards that a seat plays in a match, fields it moves by them, cards it takes back in high camps,"
    " and how often it could take one back and does not.",
    kinds={
        "played": Kind(
            "f.cards_played",
            "Played",
            "{} plays the most supply cards: {} a match",
            "{} plays {} supply cards a match",
        ),
        "moved_by": Kind("f.card_pips", "Fields moved by"),
        "taken_back": Kind(
            "f.cards_taken_back",
            "Taken back",
            "{} takes the most of them back: {} a match",
            "{} takes {} supply cards back a match",
        ),
        "declined": Kind("f.cards_declined", "Not taken back"),
    },
    shown=hundredths,
    in_a_line=4,
)
CLIMBED: Final = SeatSums(
    name="climbed",
    title="Fields gained and lost",
    table=SEATS,
    value="fields_climbed",
    definition="How many fields a seat gains, or loses if negative, in a match: its climber; its Sherpas by dice and"
    " cards, by going along, by going back, down slides, chased by the Yeti.",
    unit="fields per player and match",
    formula="Σ fields / played",
    headings=("How", "Fields per match"),
    kinds={
        "climber": Kind(
            "f.climber",
            "Climber",
            "{}'s climber climbs most: {} fields a match",
            "{}'s climber climbs {} fields a match",
            within=COUNT,
        ),
        "forward": Kind("f.fields_forward", "Sherpas, by numbers", within=COUNT),
        "along": Kind(
            "f.fields_along",
            "Going along",
            "{}'s Sherpas gain the most by going along: {} fields a match",
            "{}'s Sherpas gain {} fields a match by going along",
            within=COUNT,
        ),
        "back": Kind("-f.fields_back", "Going back", within=LOSS),
        "slid": Kind("-f.fields_slid", "Down slides", within=LOSS),
        "chased": Kind("-f.fields_chased", "From the Yeti", within=LOSS),
    },
    within=ANY,
    in_a_line=6,
)
FALLS: Final = SeatSums(
    name="falls",
    title="Sherpas sent back, and why",
    table=SEATS,
    value="falls",
    definition="How often Sherpas of a seat are sent back in a match: down a slide; or by the Yeti, when it comes upon"
    " them, when their climber leaves its field, or when they slide onto it.",
    unit="times per player and match",
    key="fall",
    headings=("Why", "Times per match"),
    kinds={
        "all": Kind(
            "f.slides + f.chases",
            most="{}'s Sherpas are sent back most often: {} times a match",
            plain="{}'s Sherpas are sent back {} times a match",
        ),
        "slide": Kind(
            "f.slides",
            "slid down",
            "{}'s Sherpas slide down most often: {} times a match",
            "{}'s Sherpas slide down {} times a match",
        ),
        "yeti_arrived": Kind(
            "f.chases_yeti_arrived",
            "the Yeti came",
            "The Yeti comes upon {}'s Sherpas most often: {} times a match",
            "The Yeti comes upon {}'s Sherpas {} times a match",
        ),
        "climber_left": Kind("f.chases_climber_left", "its climber left"),
        "slid_to_yeti": Kind("f.chases_slid", "slid to the Yeti"),
    },
    shown=hundredths,
    is_stacked=True,
    is_wide=False,
)

"""A match with a complete review: the server's data with made-up causes and better plans."""

import json
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Page, Route, expect

__all__ = ["MATCH", "ON", "Reviewed", "chances_at", "review_of"]

MATCH: Final = "four.000001"
ON: Final = ["n9", "n12", "l3"]


def asked(url: str) -> Any:
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def chances_at(review: dict[str, Any], frame: int) -> list[float]:
    """Return each seat's win probability after the last decision up to a frame."""
    found: list[float] = [each for each in review["chances"] if each["seq"] <= frame][-1]["chances"]
    return found


def review_of(scene: dict[str, Any], review: dict[str, Any]) -> dict[str, Any]:
    """Return a review with causes for each round and an evaluation of each plan; seat 2's plan was bad."""
    split, judgements, before = [], [], review["chances"][0]["chances"]
    for summary in scene["summaries"]:
        after = chances_at(review, summary["end"] if summary is not scene["summaries"][-1] else len(scene["frames"]))
        for seat, (then, now) in enumerate(zip(before, after, strict=True)):
            moved = now - then
            causes = {"own plan": moved / 2 + 0.04, "a rival's plan": moved / 2 - 0.07, "a trade": 0.01}
            causes |= {"dice": 0.03, "drift": -0.01}
            split.append({"round": summary["round"], "seat": seat, "causes": causes})
            cost = 0.12 if seat == 1 else -0.02
            place = {
                "seq": summary["at"] + 1 + seat,
                "shown": summary["at"] + 5,
                "round": summary["round"],
                "seat": seat,
            }
            figures = {"cost": cost, "low": cost - 0.04, "high": cost + 0.04}
            judgements.append({**place, **figures, "action": {}, "words": f"plan {seat} {summary['round']}", "on": ON})
        before = after
    moments = [{**each, "alternative": None} for each in review["moments"]]
    for moment, by in zip(moments, (1, 0, -1), strict=False):
        moment["by"] = by
        plans = [each for each in judgements if (each["round"], each["seat"]) == (moment["round"], by)]
        moment["alternative"] = plans[0] if plans else None
    return {**review, "moments": moments, "split": split, "judgements": judgements}


@dataclass
class Reviewed:
    """Opens a match with a made-up review or a replacement for parts of it."""

    page: Page
    url: str
    visit: Callable[[str], Page]

    def __post_init__(self) -> None:
        self.scene = asked(f"{self.url}/api/replay/{MATCH}")
        self.review = review_of(self.scene, asked(f"{self.url}/api/replay/{MATCH}/review"))

    @property
    def listed(self) -> list[dict[str, Any]]:
        """All moments that the page lists, in its order."""
        moments = [*self.review["moments"], *self.review["changes"]]
        return sorted(moments, key=lambda each: (each["since"], each["seq"]))

    def route(self, **others: Callable[[Route], None]) -> None:
        """Answer requests in place of the server: with the review, or with a replacement for a part of it."""
        answers = {
            "chances": lambda route: route.fulfill(json=self.alone()),
            "review": lambda route: route.fulfill(json=self.review),
        }
        for part, answer in (answers | others).items():
            self.page.route(f"**/api/replay/{MATCH}/{part}", answer)

    def alone(self) -> dict[str, Any]:
        """Return the win probabilities without causes, as the server sends them first."""
        model = self.review["model"]
        named = model and {"name": model["name"], "calibration_error": model["quality"]["calibration_error"]}
        return {**{part: self.review[part] for part in ("not_valued", "chances")}, "model": named}

    def open(self, query: str = "") -> Page:
        self.route()
        page = self.visit(f"/replay?match={MATCH}{query}")
        expect(page.locator(".moments [data-seq]")).to_have_count(len(self.listed))
        return page

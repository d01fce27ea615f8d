"""The icons, drawn on a square of 100 by 100 units whose middle is the origin."""

from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from PIL.ImageDraw import ImageDraw

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws shapes in the icon's coordinates: its place on the canvas, the size of a unit, and its colours."""

    draw: ImageDraw
    middle: Point
    unit: float
    ink: str
    paper: str
    accent: str

    def at(self, *points: Point) -> list[Point]:
        return [(self.middle[0] + x * self.unit, self.middle[1] + y * self.unit) for x, y in points]

    def box(self, left: float, top: float, right: float, bottom: float, radius: float, colour: str) -> None:
        self.draw.rounded_rectangle(self.at((left, top), (right, bottom)), radius * self.unit, fill=colour)

    def dot(self, at: Point, radius: float, colour: str) -> None:
        self.draw.circle(self.at(at)[0], radius * self.unit, fill=colour)

    def stroke(self, points: list[Point], width: float, colour: str) -> None:
        """A line with round ends and round corners. Pillow's own lines are a pixel wider or narrower than asked."""
        for (x1, y1), (x2, y2) in pairwise(points):
            reach = width / 2 / hypot(x2 - x1, y2 - y1)
            aside, ahead = (y1 - y2) * reach, (x2 - x1) * reach
            sides = ((x1 + aside, y1 + ahead), (x2 + aside, y2 + ahead), (x2 - aside, y2 - ahead))
            self.draw.polygon(self.at(*sides, (x1 - aside, y1 - ahead)), fill=colour)
        for point in points:
            self.dot(point, width / 2, colour)

    def polygon(self, points: list[Point], colour: str, round_by: float) -> None:
        self.draw.polygon(self.at(*points), fill=colour)
        self.stroke([*points, points[0]], round_by * 2, colour)


def calendar(pen: Pen) -> None:
    """A sheet with a band at the top and a tick: a date that has been answered."""
    pen.box(-42, -36, 42, 46, 11, pen.ink)
    pen.box(-34, -12, 34, 38, 5, pen.paper)
    for x in (-21, 21):
        pen.stroke([(x, -45), (x, -29)], 14, pen.paper)
        pen.stroke([(x, -45), (x, -29)], 8, pen.ink)
    pen.stroke([(-17, 13), (-5, 25), (18, 1)], 9.5, pen.accent)


def door(pen: Pen) -> None:
    """A card with a head and shoulders: the person who logs in."""
    pen.box(-46, -36, 46, 40, 11, pen.ink)
    pen.dot((-16, -8), 11, pen.paper)
    pen.box(-34, 8, 2, 26, 9, pen.paper)
    for y in (-10, 6, 22):
        pen.stroke([(16, y), (34, y)], 7, pen.accent)


def shopfront(pen: Pen) -> None:
    """A shop with its awning and a tick on the door: somebody who is known there."""
    pen.box(-38, -14, 38, 44, 6, pen.ink)
    pen.box(-28, 5, 28, 50, 5, pen.paper)
    pen.polygon([(-36, -42), (36, -42), (44, -18), (-44, -18)], pen.ink, 4)
    for x in (-36, -12, 12, 36):
        pen.dot((x, -15), 12, pen.ink)
    for x in (-24, 0, 24):
        pen.stroke([(x, -36), (x, -16)], 3.5, pen.paper)
    pen.stroke([(-14, 27), (-5, 36), (14, 17)], 9.5, pen.accent)


def megaphone(pen: Pen) -> None:
    """A megaphone with its grip below the horn, and three strokes for the sound."""
    pen.polygon([(-34, 16), (-22, 16), (-16, 40), (-27, 40)], pen.ink, 4)
    pen.polygon([(-42, -11), (-15, -11), (18, -33), (18, 33), (-15, 13), (-42, 13)], pen.ink, 6)
    pen.stroke([(-14, -10), (-14, 12)], 4, pen.paper)
    for start, end in (((34, -21), (45, -29)), ((36, 0), (50, 0)), ((34, 21), (45, 29))):
        pen.stroke([start, end], 7.5, pen.accent)

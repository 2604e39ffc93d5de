"""Pictures for notebooks, from the scenes that the page draws, too."""

from __future__ import annotations

import base64
import math
import re
from html import escape
from typing import TYPE_CHECKING, Any, Dict, List, Optional

if TYPE_CHECKING:
    from ._spinney import State
    from .agents import Analysis
    from .lab import Run

#: Pixels of a cell.
CELL = 40

COLOURS = {
    "plain": "#ecdfc6",
    "dark": "#d9c29b",
    "marked": "#cfd9bd",
    "home1": "#f6efe0",
    "home2": "#c8b087",
}
LINE, INK, NEUTRAL, HEAT = "#a58b5c", "#33291a", "#7d6a48", "#0b5fb0"
FRONT = {1: "#fffdf7", 2: "#2c3138", None: NEUTRAL}
EDGE = {1: "#4a4031", 2: "#14171b", None: "#33291a"}

#: Figures as the page has them, in a cell of 60 units: bodies, and lines on them.
FIGURES = {
    "king": ("M-22 0A22 22 0 1 1 22 0A22 22 0 1 1 -22 0Z", "M-13 8L-16 -9L-7 -1L0 -13L7 -1L16 -9L13 8Z"),
    "pawn": ("M-16 22C-16 13 -8 12 -6 1L-10 1L-10 -4L-5 -4A10 10 0 1 1 5 -4L10 -4L10 1L6 1C8 12 16 13 16 22Z", ""),
    "queen": ("M-15 20L-12 6L-21 -11L-10 -3L-9 -18L0 -6L9 -18L10 -3L21 -11L12 6L15 20Z", "M-13 13H13"),
    "soldier": ("M0 -21L17 -14V1C17 12 9 18 0 22C-9 18 -17 12 -17 1V-14Z", "M0 -13V13M-9 -2H9"),
    "town": ("M-20 22V-18H-12V-10H-4V-18H4V-10H12V-18H20V22Z", "M-6 22V8A6 6 0 0 1 6 8V22"),
    "runner": ("M-3 21V-20L17 -11L1 -3V21Z", ""),
}


def state(shown: "State", heat: Optional[Dict[str, float]] = None) -> str:
    """The board, and whose turn it is."""
    scene = shown.scene()
    picture = board(scene, heat) if scene["cells"] else f"<pre>{escape(str(shown))}</pre>"
    return f'<div style="font-family: sans-serif">{picture}{_trays(scene)}<div>{escape(_turn(shown))}</div></div>'


def _turn(shown: "State") -> str:
    names = shown.player_names
    if not shown.is_over:
        mover = shown.to_move or 0
        return f"{names[mover - 1]} to move" if mover else "chance takes its turn"
    if shown.score is not None:
        return f"score {shown.score:g}"
    return f"{names[shown.outcome - 1]} wins" if shown.outcome else "a draw"


def _trays(scene: Dict[str, Any]) -> str:
    lines = []
    for tray in scene["trays"]:
        items = []
        for item in tray["items"]:
            if "die" in item:
                items.append("⚀⚁⚂⚃⚄⚅"[item["die"] - 1] if 1 <= item["die"] <= 6 else str(item["die"]))
            elif "card" in item:
                items.append(f"{item['count']} × {item['card']}")
            elif "counter" in item:
                items.append(f"{item['counter']} {item['value']}")
            else:
                items.append(item["fact"])
        lines.append(f"<div><small>{escape(tray['title'])}</small> {escape(', '.join(items))}</div>")
    return "".join(lines)


def board(scene: Dict[str, Any], heat: Optional[Dict[str, float]] = None) -> str:
    """The board as an SVG, with heat on its cells."""
    cells, shape = scene["cells"], scene["shape"]
    left, top = min(cell["x"] for cell in cells) - 0.6, min(cell["y"] for cell in cells) - 0.6
    width, height = max(cell["x"] for cell in cells) + 0.6 - left, max(cell["y"] for cell in cells) + 0.6 - top
    most = max(heat.values(), default=0.0) if heat else 0.0

    def x(index: int) -> float:
        return (cells[index]["x"] - left) * CELL

    def y(index: int) -> float:
        return (cells[index]["y"] - top) * CELL

    parts: List[str] = []
    for start, end in scene["lines"]:
        parts.append(f'<path d="M{x(start):.1f} {y(start):.1f}L{x(end):.1f} {y(end):.1f}" stroke="{LINE}"/>')
    for index, cell in enumerate(cells):
        parts.append(_cell(shape, x(index), y(index), COLOURS[cell["tone"]], LINE, cell["name"]))
        share = heat.get(cell["name"], 0.0) if heat else 0.0
        if share >= 0.005:
            parts.append(_cell(shape, x(index), y(index), HEAT, "none", f"{cell['name']}: {share:.0%}", share / most))
    for piece in scene["pieces"]:
        parts.append(_piece(piece, x(piece["cell"]), y(piece["cell"])))
    for index, cell in enumerate(cells):
        share = heat.get(cell["name"], 0.0) if heat else 0.0
        if share >= 0.01:
            parts.append(
                f'<text x="{x(index):.1f}" y="{y(index) + 15:.1f}" text-anchor="middle" font-size="10" fill="{INK}" '
                f'stroke="#fff" stroke-width="2.5" paint-order="stroke">{share:.0%}</text>'
            )
    parts.extend(_names(cells, shape, left, top, height))
    size = f'width="{width * CELL:.0f}" height="{height * CELL:.0f}"'
    box = f'viewBox="0 0 {width * CELL:.0f} {height * CELL:.0f}"'
    drawn = _inlined("".join(parts))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} style="max-width: 100%">{drawn}</svg>'


_LOOKS = "fill|fill-opacity|stroke|stroke-width|stroke-linecap|stroke-linejoin|opacity|font-size|text-anchor|paint-order"


def _inlined(svg: str) -> str:
    """Looks as styles: the style sheet of another picture on the page would override attributes."""

    def style(found: "re.Match[str]") -> str:
        looks = re.findall(r'([\w-]+)="([^"]*)"', found.group())
        return ' style="' + ";".join(f"{name}:{value}{_unit(name)}" for name, value in looks) + '"'

    return re.sub(rf'(?: (?:{_LOOKS})="[^"]*")+', style, svg)


def _unit(name: str) -> str:
    return "px" if name == "font-size" else ""


def _names(cells: List[Dict[str, Any]], shape: str, left: float, top: float, height: float) -> List[str]:
    """The names of squares in the corner; hexagons and points are too full for them."""
    if shape != "square":
        return []
    style = f'font-size="8" fill="{INK}" opacity="0.65"'
    return [
        f'<text x="{(cell["x"] - left - 0.46) * CELL:.1f}" y="{(cell["y"] - top - 0.28) * CELL:.1f}" {style}>'
        f"{escape(cell['name'])}</text>"
        for cell in cells
    ]


def _cell(shape: str, x: float, y: float, fill: str, line: str, title: str, opacity: float = 1.0) -> str:
    style = f'fill="{fill}" stroke="{line}"' + (f' fill-opacity="{0.15 + 0.6 * opacity:.2f}"' if line == "none" else "")
    label = f"<title>{escape(title)}</title>"
    if shape == "square":
        return f'<rect x="{x - CELL / 2:.1f}" y="{y - CELL / 2:.1f}" width="{CELL}" height="{CELL}" {style}>{label}</rect>'
    if shape == "hexagon":
        radius = CELL / math.sqrt(3)
        corners = ((math.pi / 6 + number * math.pi / 3) for number in range(6))
        points = " ".join(f"{x + radius * math.cos(a):.1f},{y + radius * math.sin(a):.1f}" for a in corners)
        return f'<polygon points="{points}" {style}>{label}</polygon>'
    radius = CELL * (0.42 if shape == "hole" or line == "none" else 0.08)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {style}>{label}</circle>'


def _piece(piece: Dict[str, Any], x: float, y: float) -> str:
    figure, owner = piece["figure"], piece["owner"]
    front, edge = FRONT[owner], EDGE[owner]
    if figure == "burnt":
        half = CELL * 0.4
        return f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half}" height="{2 * half}" fill="{NEUTRAL}"/>'
    if figure == "cross":
        arm = CELL * 0.27
        path = f"M{x - arm:.1f} {y - arm:.1f}L{x + arm:.1f} {y + arm:.1f}M{x - arm:.1f} {y + arm:.1f}L{x + arm:.1f} {y - arm:.1f}"
        return f'<path d="{path}" stroke="{edge}" stroke-width="5" stroke-linecap="round"/>'
    if figure == "ring":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{CELL * 0.27:.1f}" fill="none" stroke="{edge}" stroke-width="5"/>'
    if figure in FIGURES:
        body, detail = FIGURES[figure]
        ink = FRONT[1] if owner == 2 else EDGE[1]
        return (
            f'<g transform="translate({x:.1f} {y:.1f}) scale({CELL / 60:.3f})" stroke-linejoin="round">'
            f'<path d="{body}" fill="{front}" stroke="{edge}" stroke-width="2"/>'
            f'<path d="{detail}" fill="none" stroke="{ink}" stroke-width="2"/></g>'
        )
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{CELL * 0.37:.1f}" fill="{front}" stroke="{edge}" stroke-width="1.5"/>'
    word = piece.get("text") or ""
    if not word:
        return disc
    ink = EDGE[1] if owner == 1 else FRONT[1]
    size = 18 if len(word) == 1 else max(8, 20 - 3 * len(word))
    text = f'<text x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size}" text-anchor="middle" fill="{ink}">{escape(word)}</text>'
    return disc + text


def analysis(shown: "Analysis") -> str:
    """The board with heat, beside the table of candidates."""
    rows = []
    for one in shown.candidates[:12]:
        margin = "" if one.margin != one.margin else f"±{one.margin:.3f}"
        cells = [one.move, f"{one.visits:,}".replace(",", " "), f"{one.mean:+.3f}", margin, one.proven or ""]
        numbers = "".join(f'<td style="text-align: right">{escape(cell)}</td>' for cell in cells[1:])
        line = escape(" ".join(one.variation[:8]))
        rows.append(f'<tr><td style="text-align: left">{escape(cells[0])}</td>{numbers}<td style="text-align: left">{line}</td></tr>')
    more = len(shown.candidates) - 12
    heads = "".join(f"<th>{head}</th>" for head in ("move", "visits", "mean", "95 %", "proven", "variation"))
    speed = f"{shown.simulations:,} simulations, {shown.simulations_per_second:,.0f} a second".replace(",", " ")
    note = f"{speed}{f', {more} more moves' if more > 0 else ''}; best: {escape(shown.best)}"
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; align-items: flex-start">'
        f"{state(shown.state, shown.heat())}"
        f"<div><small>{escape(shown.agent)}</small><table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<small>{note}</small></div></div>"
    )


def match(shown: "Run") -> str:
    """The forest plot of a match, or of a run, and its numbers."""
    forest = "".join(_image(svg) for name, svg in shown.pictures().items() if "forest" in name)
    return f"<div>{forest}<pre>{escape(str(shown))}</pre></div>"


def _image(svg: str) -> str:
    """A picture with a style sheet of its own, which is not to reach the rest of the page."""
    coded = base64.b64encode(svg.encode()).decode()
    return f'<img alt="forest plot" style="max-width: 100%" src="data:image/svg+xml;base64,{coded}">'

// Figures as small vector shapes around (0, 0), in a cell of 60 units. The two players differ in colour and in detail:
// what has the class `second` is drawn for the second player only.

import { drawn } from "./dom.js";

const CROWN = "M-13 8 L-16 -9 L-7 -1 L0 -13 L7 -1 L16 -9 L13 8 Z";
const dot = (x, y, r, kind = "detail fillet") => drawn(`circle.${kind.replaceAll(" ", ".")}`, { cx: x, cy: y, r });
const path = (d, kind = "body") => drawn(`path.${kind}`, { d });

const FIGURES = {
  stone: () => [dot(0, 0, 21, "body"), dot(0, 0, 14, "detail first"), dot(0, 0, 5, "detail fillet second")],
  king: () => [dot(0, 0, 22, "body"), path(CROWN, "detail"), dot(0, 15, 2.5, "detail fillet second")],
  pawn: () => [
    path("M-16 22 C-16 13 -8 12 -6 1 L-10 1 L-10 -4 L-5 -4 A10 10 0 1 1 5 -4 L10 -4 L10 1 L6 1 C8 12 16 13 16 22 Z"),
    path("M-9 15 H9", "detail second"),
    dot(0, -12, 3, "detail fillet second"),
  ],
  queen: () => [
    path("M-15 20 L-12 6 L-21 -11 L-10 -3 L-9 -18 L0 -6 L9 -18 L10 -3 L21 -11 L12 6 L15 20 Z"),
    dot(-21, -13, 3, "body"),
    dot(-9, -20, 3, "body"),
    dot(9, -20, 3, "body"),
    dot(21, -13, 3, "body"),
    path("M-13 13 H13", "detail"),
    dot(0, 5, 3.5, "detail fillet second"),
  ],
  soldier: () => [
    path("M0 -21 L17 -14 V1 C17 12 9 18 0 22 C-9 18 -17 12 -17 1 V-14 Z"),
    path("M0 -13 V13 M-9 -2 H9", "detail first"),
    path("M-9 -8 L9 9 M9 -8 L-9 9", "detail second"),
  ],
  town: () => [
    path("M-20 22 V-18 H-12 V-10 H-4 V-18 H4 V-10 H12 V-18 H20 V22 Z"),
    path("M-6 22 V8 A6 6 0 0 1 6 8 V22", "detail"),
    path("M-13 -3 H13", "detail second"),
  ],
  burnt: () => [
    drawn("rect.ash", { x: -24, y: -24, width: 48, height: 48, rx: 6 }),
    path("M-11 -11 L11 11 M11 -11 L-11 11", "ember"),
  ],
  cross: () => [path("M-16 -16 L16 16 M16 -16 L-16 16", "thick")],
  ring: () => [dot(0, 0, 17, "thick")],
  runner: () => [path("M-3 21 V-20 L17 -11 L1 -3 V21 Z"), dot(-1, 21, 4, "body")],
};

/// The shapes of a piece of the scene.
export function figureOf(piece) {
  const owner = piece.owner ? `o${piece.owner}` : "o0";
  const make = FIGURES[piece.figure];
  const shapes = make ? make() : wording(piece.text ?? piece.figure);
  return drawn(`g.figure.${owner}`, {}, shapes);
}

function wording(text) {
  const size = text.length <= 2 ? 22 : Math.max(10, 52 / text.length + 4);
  const shown = text.length > 9 ? `${text.slice(0, 8)}…` : text;
  return [
    drawn("rect.body", { x: -23, y: -19, width: 46, height: 38, rx: 10 }),
    drawn("text.word", { y: size * 0.35, style: `font-size:${size}px` }, shown),
    path("M-12 15 H12", "detail second"),
  ];
}

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/// A die, with pips as far as a die has them.
export function die(eyes) {
  const pips = PIPS[eyes]?.map(([x, y]) => drawn("circle.pip", { cx: 24 + 11 * x, cy: 24 + 11 * y, r: 4.4 }));
  const face = pips ?? drawn("text.word", { x: 24, y: 32, style: "font-size:22px" }, String(eyes));
  const label = { class: "die", viewBox: "0 0 48 48", width: 48, height: 48, role: "img", "aria-label": `a die showing ${eyes}` };
  return drawn("svg", label, drawn("rect.face", { x: 2, y: 2, width: 44, height: 44, rx: 10 }), face);
}

// Colours that players are named by: a player who is called red has red pieces, a red disc and a red part of the bar.

import { playerName } from "./dom.js";

// Fill, edge and details.
const NAMED = {
  red: ["#c0342b", "#6d1610", "#fff"],
  blue: ["#2b62b8", "#12315f", "#fff"],
  green: ["#2c7a3f", "#123d1d", "#fff"],
  yellow: ["#efc42f", "#7a5f00", "#3a2f00"],
  orange: ["#e07b1f", "#743a05", "#2d1600"],
  purple: ["#7a3fa0", "#3b1853", "#fff"],
  white: ["#fffdf7", "#4a4031", "#4a4031"],
  black: ["#2c3138", "#14171b", "#e9e4d8"],
};

/// Sets the colours of a room by the names of its players; others keep the colours of the first and the second.
export function paint(node, view) {
  const names = [1, 2].map((player) => playerName(view, player).toLowerCase());
  const known = names.map((name) => NAMED[Object.keys(NAMED).find((colour) => name === colour || name.startsWith(`${colour}-`) || name.startsWith(`${colour} `))]);
  const usual = names[0] === "white" && names[1] === "black";
  ["one", "two"].forEach((owner, at) => {
    const [fill, edge, detail] = usual ? [] : (known[at] ?? []);
    const set = (key, value) => (value ? node.style.setProperty(key, value) : node.style.removeProperty(key));
    set(`--${owner}`, fill);
    set(`--${owner}-ink`, owner === "one" ? edge : detail);
    if (owner === "two") set("--two-edge", edge);
  });
}

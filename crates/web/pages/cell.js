// The games of a cell, and one of them to be looked at in the room of play.
//
// For tests: #games-table tr[data-game="PAIR-GAME"], [data-replay="PAIR-GAME"] (links), #earlier, #later.

import { get } from "./api.js";
import { element } from "./dom.js";
import { back, count, runAddress, table } from "./lab.js";

/// The games of a cell, a hundred at a time.
export async function showCell(room, name, key, from) {
  const path = `api/experiments/runs/${encodeURIComponent(name)}/cells/${encodeURIComponent(key)}`;
  const list = await get(`${path}?from=${from}`, room.closing.signal);
  const row = (game) => {
    const id = `${game.pair}-${game.game}`;
    const words = `game ${game.game + 1} of pair ${game.pair + 1}`;
    return element(
      "tr",
      // The link is for everybody; with a mouse or a finger the whole row will do.
      { "data-game": id, onclick: (event) => event.target.closest("a") || event.currentTarget.querySelector("a").click() },
      element("th", { scope: "row" }, `${game.pair + 1}.${game.game + 1}`),
      element("td", {}, game.seats[0]),
      element("td", {}, game.seats[1]),
      element("td", {}, game.winner ? game.seats[game.winner - 1] : "draw", game.winner > 0 && element("small.which", {}, game.winner === 1 ? " first" : " second")),
      element("td.n", {}, count(game.plies)),
      element("td", {}, element("a", { href: runAddress(name, key, game.pair, game.game), "data-replay": id, "aria-label": `replay ${words}` }, "replay")),
    );
  };
  const columns = [["Game"], ["First"], ["Second"], ["Winner"], ["Plies", "n"], ["", ""]];
  const last = from + list.games.length;
  const step = (id, text, at, possible) => possible && element("a.button", { id, href: `${runAddress(name, key)}?from=${at}` }, text);
  room.root.append(
    back("The run", runAddress(name)),
    element("header", {}, element("h1", {}, list.label)),
    element("p", { id: "games-shown" }, list.total ? `Games ${count(from + 1)} to ${count(last)} of ${count(list.total)}` : "No game has been played yet."),
    table("games-table", "Games of this cell", columns, list.games.map(row), ".games-table"),
    element("nav.row", { "aria-label": "More games" }, step("earlier", "Earlier", Math.max(0, from - 100), from > 0), step("later", "Later", last, last < list.total)),
  );
}

function winner(game) {
  if (game.winner === 0) return "draw";
  return `${game.seats[game.winner - 1]} (${game.winner === 1 ? "first" : "second"})`;
}

/// Opens a game in the room of play, with who played it, how it ended and a way back.
export async function replay(room, name, key, pair, number) {
  const parts = [name, "cells", key, pair, number].map(encodeURIComponent);
  const game = await get(`api/experiments/runs/${parts.join("/")}`, room.closing.signal);
  const shown = { names: game.seats, agents: game.agents, result: winner(game) === "draw" ? "a draw" : `${winner(game)} won`, back: runAddress(name, key) };
  const query = new URLSearchParams({ game: game.game, moves: game.moves.join(" "), replay: "1", shown: JSON.stringify(shown) });
  // In the place of this address, so that going back leads to the list.
  location.replace(`#/play?${query}`);
}

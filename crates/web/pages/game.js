// The state of a game: all of it lives in the page. It is written into the address, which can be shared, and into the
// browser's storage on every change, so that nothing is lost by a reload.

const KEY = "spinney.game";
const VIEW = "spinney.view";
const SHEETS = "spinney.sheets";
const MOST_SHEETS = 8;

/// A new game. A seat is `{ agent, amount, unit }`, where the agent `person` is a person. `shown` is what is known of a game that was played elsewhere:
/// `{ names, agents, result, back }`.
export function newGame(game = "breakthrough", players = 2) {
  const person = { agent: "person", amount: 1, unit: "seconds" };
  const machine = { agent: "mcts", amount: 1, unit: "seconds" };
  return {
    game,
    start: null,
    moves: [],
    redo: [],
    seats: players === 1 ? [person, { ...person }] : [person, machine],
    seed: Math.floor(Math.random() * 1e6) + 1,
    paused: false,
    flip: false,
    minutes: 0,
    shown: null,
  };
}

const seatText = ({ agent, amount, unit }) => (agent === "person" ? agent : `${agent}@${amount}${unit === "seconds" ? "s" : "n"}`);

function readSeat(text, fallback) {
  if (!text || text.length > 2000) return fallback;
  const match = /^(.*)@([\d.]+)([sn])$/s.exec(text);
  if (!match) return { ...fallback, agent: text };
  const amount = Number(match[2]);
  return { agent: match[1], amount: amount > 0 ? amount : 1, unit: match[3] === "s" ? "seconds" : "simulations" };
}

/// The address of a game.
export function address(state) {
  const query = new URLSearchParams({ game: state.game });
  if (state.start) query.set("position", state.start);
  if (state.moves.length) query.set("moves", state.moves.join(" "));
  if (state.redo.length) query.set("redo", state.redo.join(" "));
  state.seats.forEach((seat, at) => query.set(`p${at + 1}`, seatText(seat)));
  query.set("seed", state.seed);
  if (state.paused) query.set("paused", "1");
  if (state.flip) query.set("flip", "1");
  if (state.minutes) query.set("minutes", state.minutes);
  if (state.shown) query.set("shown", JSON.stringify(state.shown));
  // Brackets and commas may stand in an address as they are, which keeps it readable.
  return `#/play?${query.toString().replace(/%28/g, "(").replace(/%29/g, ")").replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%40/g, "@").replace(/%3D/g, "=").replace(/%3A/g, ":")}`;
}

// Texts only, and a way back within this page.
function readShown(text) {
  try {
    const { names, agents, result, back } = JSON.parse(text) ?? {};
    const texts = (list) => (Array.isArray(list) && list.length === 2 ? list.map(String) : null);
    return texts(names) && { names: texts(names), agents: texts(agents), result: String(result ?? ""), back: /^#\/[\w/%.-]*$/.test(back) ? back : null };
  } catch {
    return null;
  }
}

const words = (text) => (text ?? "").split(/\s+/).filter(Boolean);

/// The game of an address, or `null` if it names none.
export function fromAddress(query) {
  if (!query.get("game")) return null;
  const fresh = newGame(query.get("game"));
  const seed = Number(query.get("seed"));
  const moves = words(query.get("moves"));
  const state = {
    ...fresh,
    start: query.get("position") || null,
    moves,
    redo: words(query.get("redo")),
    seats: fresh.seats.map((seat, at) => readSeat(query.get(`p${at + 1}`), seat)),
    seed: Number.isSafeInteger(seed) && seed > 0 ? seed : fresh.seed,
    paused: query.get("paused") === "1",
    flip: query.get("flip") === "1",
    minutes: Math.min(600, Math.max(0, Number(query.get("minutes")) || 0)),
    shown: readShown(query.get("shown")),
  };
  if (query.get("replay") !== "1") return state;
  // A game to be looked at: nobody moves, and all its moves are still to come.
  const person = { agent: "person", amount: 1, unit: "seconds" };
  return { ...state, moves: [], redo: moves.reverse(), seats: [person, { ...person }], replay: true };
}

/// Keeps a game; a full or forbidden storage is no reason to stop playing.
export function keep(state) {
  // A move that comes in after a click on another room must not call its visitor back.
  if (/^#\/(?!play\b)./.test(location.hash)) return;
  history.replaceState(null, "", address(state));
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // The address has it all the same.
  }
}

/// The game that was kept last, or `null`.
export function kept() {
  try {
    const state = JSON.parse(localStorage.getItem(KEY));
    const sound = state && typeof state.game === "string" && [state.moves, state.redo, state.seats].every(Array.isArray);
    return sound && state.seats.length === 2 ? { ...newGame(state.game), ...state } : null;
  } catch {
    return null;
  }
}

/// Keeps the text of a pasted rule sheet under the name that the server gave it.
export function keepSheet(game, text) {
  const others = sheets().filter(([name]) => name !== game);
  try {
    localStorage.setItem(SHEETS, JSON.stringify([[game, text], ...others].slice(0, MOST_SHEETS)));
  } catch {
    // It is pasted again if need be.
  }
}

/// The pasted sheets as `[game, text]`.
export function sheets() {
  try {
    const list = JSON.parse(localStorage.getItem(SHEETS));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/// A game as text that can be kept and loaded again.
export function record(state) {
  const lines = [`game ${state.game}`];
  if (state.start) lines.push(`position ${state.start}`);
  lines.push(`moves ${state.moves.join(" ")}`.trim());
  return `${lines.join("\n")}\n`;
}

/// Reads what `record` wrote; a text without such lines is a list of moves.
export function readRecord(text, game) {
  const found = { game, start: null, moves: [] };
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    const [, key, rest] = /^(game|position|moves)\b\s*:?\s*(.*)$/.exec(line) ?? [null, "moves", line];
    if (key === "game") found.game = rest;
    else if (key === "position") found.start = rest || null;
    else found.moves.push(...words(rest).filter((word) => !/^\d+\.+$/.test(word)));
  }
  return found;
}

/// What of the search was looked at last.
export function keptView() {
  try {
    const { heat, compare, ponder, agents } = JSON.parse(localStorage.getItem(VIEW)) ?? {};
    const sound = Array.isArray(agents) && agents.length === 2 && agents.every((agent) => typeof agent === "string");
    return sound ? { heat: heat !== false, compare: compare === true, ponder: ponder === true, agents } : {};
  } catch {
    return {};
  }
}

/// Keeps it.
export function keepView({ heat, compare, ponder, agents }) {
  try {
    localStorage.setItem(VIEW, JSON.stringify({ heat, compare, ponder, agents }));
  } catch {
    // It is a convenience only.
  }
}

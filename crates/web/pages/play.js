// The room of play: a board, who plays, the search, its tree, and the record of the game.
//
// For tests, beside those of agents.js, search.js, tree.js and newgame.js:
// `#board[data-moves]` is the number of moves made, `#board [data-cell="d4"]` a cell, `[data-card="copper"]` a card,
// `#buttons [data-move="roll"]` a move without cells, `#chooser [data-move]` one of several that are meant,
// `#status[data-turn]` is `1`, `2`, `chance` or `over`, `#connection[data-state]` is `open`, `lost` or `closed`,
// `#new-game`, `#undo`, `#redo`, `#hint`, `#swap`, `#flip`, `#pause`, `#move-now`, `#move-text`, `#move-error`, `#help`,
// `#record [data-ply]`, `#copy-position`, `#copy-record`, `#load`,
// `#seat-1-preset`, `#seat-1-agent`, `#seat-1-amount`, `#seat-1-unit` and the same for seat 2.

import { post } from "./api.js";
import { Board } from "./board.js";
import { capital, drawn, element, playerName, write } from "./dom.js";
import { fromAddress, keep, kept, newGame, record, sheets } from "./game.js";
import { helpDialog, keyOf, pressed } from "./keys.js";
import { Mind } from "./mind.js";
import { NewGameDialog } from "./newgame.js";
import { read } from "./notation.js";
import { Picker } from "./picker.js";
import { RecordPanel } from "./record.js";
import { SearchPanel } from "./search.js";
import { Seat } from "./seats.js";
import { Trays } from "./trays.js";
import { TreeExplorer } from "./tree.js";

const HINT_SECONDS = 1;
const VIEW = "spinney.view";
const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 22h4M12 2a7 7 0 0 0-4 12.700V17h8v-2.300A7 7 0 0 0 12 2z",
  swap: "M7 3v17M3 7l4-4 4 4M17 21V4M13 17l4 4 4-4",
  flip: "M3 12a9 9 0 0 1 15.500-6.300L21 8M21 3v5h-5M21 12a9 9 0 0 1-15.500 6.300L3 16M3 21v-5h5",
  pause: "M8 5v14M16 5v14",
  run: "M7 4l13 8-13 8z",
  plus: "M12 5v14M5 12h14",
};
const icon = (name) => drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: ICONS[name] }));

/// Opens the room.
export async function show(container, address, context) {
  const room = new Room(container, address, context);
  await room.begin();
  return () => room.close();
}

class Room {
  constructor(container, address, context) {
    this.context = context;
    this.about = context.about;
    this.state = fromAddress(address.query) ?? kept() ?? newGame();
    this.settings = { analyse: false, compare: false, heat: true, agents: ["mcts", "mcts(rb(a=online), qb(a=online))"], ...keptView() };
    this.view = null;
    this.asking = 0;
    this.build(container);
    this.mind = new Mind({
      thought: (thought, purpose) => this.thought(thought, purpose),
      waiting: (side, before) => this.panel.say(side, `Waiting: ${before} searches come first.`),
      refused: (side, text, purpose) => this.refused(side, text, purpose),
      node: (node) => this.tree.node(node),
      noNode: (text) => this.tree.none(text),
      searching: (side, running, fresh) => this.tree.searching(side, running, fresh),
      status: (state) => this.connection(state),
    });
  }

  build(container) {
    const touch = (name) => this.touched(name);
    this.picker = new Picker({ play: (move) => this.play(move), changed: () => this.view && this.light() });
    this.board = new Board({ touch });
    this.trays = new Trays({ touch });
    this.boardBox = element("div.board-box", { id: "board", "data-moves": 0 }, this.board.svg);
    this.plain = element("pre.plain", { hidden: true, tabindex: 0, "aria-label": "the position as text" });
    this.status = element("p.status", { id: "status" }, " ");
    this.chooser = element("div.row.chooser", { id: "chooser", hidden: true, role: "group", "aria-label": "which move" });
    this.buttons = element("div.row.moves", { id: "buttons", role: "group", "aria-label": "moves" });
    this.seats = [0, 1].map((at) => this.seat(at));
    this.settingsOfSearch();
    this.dialog = new NewGameDialog({ about: this.about, start: (game) => this.start(game) });
    this.left = element("section.table", { "aria-label": "game" });
    this.left.append(this.title(), this.seats[1].body, this.boardBox, this.plain, this.trays.body, this.seats[0].body);
    this.left.append(this.status, this.chooser, this.buttons, this.controls(), this.moveForm());
    this.record = new RecordPanel({
      jump: (ply) => this.jump(ply),
      position: () => this.view?.position ?? "",
      record: () => record(this.state),
      load: () => this.dialog.open(this.state.game, true),
    });
    this.helpDialog = helpDialog();
    const right = element("div.stack.aside", {}, this.panel.body, this.tree.body, this.record.body);
    container.append(element("div.play", {}, this.left, right), this.dialog.body, this.helpDialog);
    // A rule sheet may be dropped anywhere.
    container.addEventListener("dragover", (event) => event.preventDefault());
    container.addEventListener("drop", (event) => this.dialog.dropped(event, this.state.game));
    this.onKey = (event) => pressed(event, () => this.picker.cancel());
    document.addEventListener("keydown", this.onKey);
  }

  settingsOfSearch() {
    this.tree = new TreeExplorer({ ask: (side, path) => this.mind.open(side, path) });
    this.panel = new SearchPanel({
      about: this.about,
      settings: this.settings,
      suits: this.suits(),
      point: (candidate) => this.pointAt(candidate),
      open: (side, path) => this.tree.open(side, path),
      changed: (key) => this.changedSearch(key),
    });
    this.tree.compare(this.settings.compare);
  }

  title() {
    this.name = element("h1", { id: "game-name" }, this.state.game);
    const fresh = element("button.primary", { type: "button", id: "new-game", title: "New game (n)", onclick: () => this.dialog.open(this.state.game) }, icon("plus"), "New game");
    this.link = element("span.connection", { id: "connection", "data-state": "closed" }, "");
    return element("div.row.head", {}, this.name, this.link, element("span.push"), fresh);
  }

  seat(at) {
    const change = (more) => this.changedSeat(at, more);
    return new Seat({ at, seat: this.state.seats[at], about: this.about, suits: this.suits(), change });
  }

  controls() {
    const button = (id, text, title, act) => {
      const key = keyOf(id);
      return element("button", { type: "button", id, title: `${title}${key ? ` (${key})` : ""}`, onclick: act }, icon(id), element("span", {}, text));
    };
    const undo = button("undo", "Undo", "Take a move back", () => this.undo());
    const redo = button("redo", "Redo", "Make it again", () => this.redo());
    const hint = button("hint", "Hint", "Show a good move", () => this.hint());
    const swap = button("swap", "Swap", "Swap sides", () => this.swap());
    const flip = button("flip", "Turn", "Turn the board", () => this.change({ flip: !this.state.flip }));
    const pause = button("pause", "Pause", "Pause or go on", () => this.pause());
    const now = element("button", { type: "button", id: "move-now", hidden: true, onclick: () => this.moveNow() }, "Move now");
    this.tools = { undo, redo, hint, swap, flip, pause, now };
    return element("div.row.tools", { role: "toolbar", "aria-label": "game" }, undo, redo, hint, swap, flip, pause, now);
  }

  moveForm() {
    this.moveText = element("input.mono", { id: "move-text", type: "text", autocomplete: "off", spellcheck: "false", placeholder: "write a move", "aria-label": "a move as text", maxlength: 200 });
    this.moveError = element("p.error", { id: "move-error", role: "alert" });
    const form = element("form.row.move-form", {}, this.moveText, element("button", { type: "submit" }, "Play"), element("button", { type: "button", id: "help", title: "Keys (?)", onclick: () => this.helpDialog.showModal() }, "Keys"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.typed(this.moveText.value.trim());
    });
    return element("div", {}, form, this.moveError);
  }

  // ---- The position

  async begin() {
    try {
      this.settle(await this.ask(this.place(this.state.moves)));
    } catch (error) {
      // The game that was asked for cannot be shown; another one can.
      const problem = error.message;
      this.state = newGame();
      this.settle(await this.ask(this.place([])));
      write(this.status, problem);
      this.status.classList.add("wrong");
    }
  }

  place(moves, chance = !this.state.redo.length) {
    return { game: this.state.game, position: this.state.start, moves, seed: this.state.seed, chance };
  }

  // Asks for a position, again and again while the server cannot be reached, and sends a forgotten sheet anew.
  async ask(place, wait = 250) {
    try {
      return await post("api/position", place);
    } catch (error) {
      if (error.sheet) {
        const text = sheets().find(([name]) => name === read(place.game).name)?.[1];
        if (!text) throw error;
        await post("api/sheet", { text });
        return post("api/position", place);
      }
      if (error.status || this.closed) throw error;
      this.connection("lost");
      await new Promise((resolve) => setTimeout(resolve, wait));
      return this.ask(place, Math.min(2 * wait, 8000));
    }
  }

  // Shows the position after these moves; answers that came too late are passed over. A refusal changes nothing.
  async go(moves, redo, more = {}) {
    const number = ++this.asking;
    const before = { ...this.state };
    Object.assign(this.state, more, { redo });
    try {
      const view = await this.ask(this.place(moves));
      if (number === this.asking && !this.closed) this.settle(view);
    } catch (error) {
      if (number !== this.asking || this.closed) return;
      this.state = before;
      this.complain(error.message);
      this.picker.reset(this.playable());
    }
  }

  settle(view) {
    const from = this.view;
    const same = from && from.game === view.game && Math.abs(from.moves.length - view.moves.length) <= 6;
    this.view = view;
    this.state.moves = view.moves;
    keep(this.state);
    if (this.connectionLost) this.connection("open");
    this.complain("");
    this.status.classList.remove("wrong");
    this.mind.forget(this.place(view.moves));
    this.orient(view);
    this.drawSeats();
    this.drawBoard(same ? from : null);
    if (same) this.panel.fit(this.suits(), view.parameters);
    else this.panel.clear(this.suits(), view.parameters);
    this.picker.reset(this.playable());
    this.record.show(view.moves, this.state.redo);
    this.decide();
    const made = view.last && from?.moves.length !== view.moves.length ? `${view.last.move}. ` : "";
    this.context.announce(made + this.status.textContent);
  }

  // The first player sits at the lower edge also where the game draws its pieces above.
  async orient({ scene, moves }) {
    const { game, start } = this.state;
    const key = `${game} ${start}`;
    if (this.oriented === key) return;
    this.oriented = key;
    this.upside = isUpside(scene);
    if (!moves.length) return;
    const first = await this.ask(this.place([], false)).catch(() => null);
    const upside = Boolean(first) && isUpside(first.scene);
    if (this.oriented !== key || this.closed || upside === this.upside) return;
    this.upside = upside;
    this.drawBoard(null);
    this.light();
  }

  drawBoard(from) {
    const { scene, text } = this.view;
    const flip = this.state.flip !== this.upside;
    const bare = !scene.cells.length;
    this.boardBox.hidden = bare;
    this.boardBox.dataset.moves = this.view.moves.length;
    this.plain.hidden = !bare || scene.trays.length > 0;
    write(this.plain, text);
    this.trays.show(this.view, from);
    this.left.classList.toggle("tall", scene.trays.length > 2);
    if (bare) return;
    this.board.show(this.view, { flip, from });
    this.board.svg.setAttribute("aria-label", `board of ${read(this.view.game).name}`);
  }

  drawSeats() {
    const [top, bottom] = this.state.flip ? [0, 1] : [1, 0];
    this.left.insertBefore(this.seats[top].body, this.boardBox);
    this.left.insertBefore(this.seats[bottom].body, this.status);
    this.seats.forEach((seat, at) => seat.show(this.state.seats[at], this.view, this.suits()));
    write(this.name, this.state.game.startsWith("gdl:pasted") ? "pasted rule sheet" : this.state.game);
    document.title = `${this.name.textContent} · spinney`;
  }

  drawStatus() {
    const { turn, score } = this.view;
    this.status.dataset.turn = turn.over ? "over" : (turn.player ?? "chance");
    this.status.classList.toggle("over", Boolean(turn.over));
    const result = `Game over: ${turn.text?.replace(/ \(.*?\)/, "")}.`;
    const points = score === null || score === undefined ? "" : ` · score ${score}`;
    write(this.status, turn.over ? result : capital(`${this.sentence(turn)}${points}`));
    const { undo, redo, hint, pause, now, swap, flip } = this.tools;
    swap.hidden = this.players() === 1;
    flip.hidden = !this.view.scene.cells.length;
    const agents = this.state.seats.slice(0, this.players()).some(({ agent }) => agent !== "person");
    undo.disabled = !this.view.moves.length;
    redo.disabled = !this.state.redo.length;
    hint.disabled = !turn.player;
    pause.hidden = !agents;
    pause.querySelector("svg").replaceWith(icon(this.state.paused ? "run" : "pause"));
    write(pause.querySelector("span"), this.state.paused ? "Go on" : "Pause");
    now.hidden = !this.thinkingAgent();
    this.seats.forEach(({ busy }, at) => (busy.hidden = !(this.thinkingAgent() && turn.player === at + 1)));
  }

  sentence(turn) {
    if (turn.chance) return "Chance is to draw.";
    const name = this.players() === 1 ? "You are" : `${playerName(this.view, turn.player)} is`;
    if (!this.thinkingAgent()) return this.isPerson() ? `${name} to move.` : `${name} to move; paused.`;
    const who = this.players() === 1 ? "The agent" : playerName(this.view, turn.player);
    return `${who} is thinking …`;
  }

  complain(text) {
    write(this.moveError, text);
    this.moveText.setAttribute("aria-invalid", String(Boolean(text)));
  }

  // ---- Who and what

  players() {
    const name = read(this.state.game).name;
    return this.about.games.find((game) => game.name === name)?.players ?? (typeof this.view?.score === "number" ? 1 : 2);
  }

  suits() {
    const name = read(this.state.game).name;
    const known = this.about.games.find((game) => game.name === name);
    return { players: this.players(), chance: known?.chance ?? false, sheet: name.startsWith("gdl") };
  }

  isPerson() {
    const { player } = this.view.turn;
    return Boolean(player) && this.state.seats[player - 1].agent === "person";
  }

  thinkingAgent() {
    return Boolean(this.view.turn.player) && !this.isPerson() && !this.state.paused;
  }

  playable() {
    return this.view.turn.player && (this.isPerson() || this.state.paused) ? this.view.legal : [];
  }

  // ---- Moving

  touched(name) {
    if (name === null) this.picker.cancel();
    else this.picker.touch(name);
  }

  light() {
    const { path, targets, choices, buttons } = this.picker;
    const active = this.playable().length > 0;
    if (this.view.scene.cells.length) this.board.light({ path, targets, active });
    this.trays.light({ path, targets });
    this.drawChooser(choices);
    if (this.shownButtons === this.picker.legal) return;
    this.shownButtons = this.picker.legal;
    const make = ({ move }) => element("button", { type: "button", "data-move": move, onclick: () => this.play(move) }, move);
    this.buttons.replaceChildren(...buttons.map(make));
    this.buttons.hidden = !buttons.length;
  }

  drawChooser(choices) {
    this.chooser.hidden = !choices.length;
    const make = ({ move }) => element("button", { type: "button", "data-move": move, onclick: () => this.picker.finish({ move }) }, move);
    this.chooser.replaceChildren(element("span", {}, "Which?"), ...choices.map(make));
    if (choices.length && this.boardBox.contains(document.activeElement)) this.chooser.querySelector("button").focus();
  }

  play(move) {
    // Clicks that come before the answer are not meant for this position.
    this.picker.reset([]);
    const { redo } = this.state;
    const again = redo.at(-1) === move;
    return this.go([...this.view.moves, move], again ? redo.slice(0, -1) : []);
  }

  typed(text) {
    if (!text) return;
    const same = (move) => move.toLowerCase().replaceAll(" ", "") === text.toLowerCase().replaceAll(" ", "");
    const found = this.playable().find(({ move }) => move === text) ?? this.playable().find(({ move }) => same(move));
    if (!found) {
      const some = this.playable().slice(0, 3).map(({ move }) => move).join(", ");
      return this.complain(some ? `move: “${text}” is not legal here; write one such as ${some}` : "move: it is not a person's turn; pause the game first");
    }
    this.moveText.value = "";
    this.play(found.move);
  }

  // Back to where a person was to move; without persons, by one move of a player.
  async undo() {
    const number = ++this.asking;
    const persons = this.state.seats.slice(0, this.players()).some(({ agent }) => agent === "person");
    let fallback = null;
    for (let length = this.view.moves.length - 1; length >= 0; length--) {
      const view = await this.ask(this.place(this.view.moves.slice(0, length), false)).catch(() => null);
      if (number !== this.asking || this.closed || !view) return;
      if (!view.turn.player) continue;
      fallback ??= length;
      if (!persons || this.state.seats[view.turn.player - 1].agent === "person") return this.back(length, false);
    }
    if (fallback !== null) this.back(fallback, true);
  }

  back(length, pause) {
    const taken = this.view.moves.slice(length).reverse();
    const agents = this.state.seats.slice(0, this.players()).every(({ agent }) => agent !== "person");
    return this.go(this.view.moves.slice(0, length), [...this.state.redo, ...taken], { paused: this.state.paused || pause || agents });
  }

  // On to where a person is to move, or to the end of what was taken back.
  async redo() {
    const number = ++this.asking;
    let [moves, redo] = [this.view.moves, this.state.redo];
    while (redo.length) {
      moves = [...moves, redo.at(-1)];
      redo = redo.slice(0, -1);
      const view = await this.ask(this.place(moves, false)).catch(() => null);
      if (number !== this.asking || this.closed || !view) return;
      const seat = view.turn.player && this.state.seats[view.turn.player - 1];
      if (view.turn.over || (seat && (seat.agent === "person" || this.state.paused))) break;
    }
    return this.go(moves, redo);
  }

  jump(ply) {
    const moves = [...this.view.moves, ...[...this.state.redo].reverse()];
    const agents = this.state.seats.slice(0, this.players()).some(({ agent }) => agent !== "person");
    return this.go(moves.slice(0, ply), moves.slice(ply).reverse(), { paused: agents && ply < moves.length });
  }

  swap() {
    const [first, second] = this.state.seats;
    this.change({ seats: [second, first], flip: !this.state.flip });
  }

  pause() {
    // Going on from here gives up what was taken back.
    const paused = !this.state.paused;
    if (paused) this.change({ paused });
    else this.go(this.view.moves, [], { paused });
  }

  change(more) {
    Object.assign(this.state, more);
    this.settle(this.view);
  }

  changedSeat(at, more) {
    if (!this.view) return;
    const seats = this.state.seats.map((seat, other) => (other === at ? { ...seat, ...more } : seat));
    const first = seats[0].agent !== "person" && seats[1].agent === "person" && this.players() === 2;
    // A person sits at the lower edge.
    this.change({ seats, flip: more.agent ? first : this.state.flip });
  }

  async start({ game, start, moves, seed }) {
    const players = this.about.games.find(({ name }) => name === read(game).name)?.players ?? 2;
    const fresh = newGame(game, players);
    const fits = players === this.players() && !start;
    const state = { ...fresh, start, seed: seed ?? fresh.seed, seats: fits ? this.state.seats : fresh.seats, flip: fits && this.state.flip };
    const number = ++this.asking;
    const view = await this.ask({ game, position: start, moves, seed: state.seed, chance: true });
    if (number !== this.asking) return;
    this.state = state;
    this.view = null;
    this.settle(view);
  }

  // ---- Thinking

  // Whoever is to move thinks; otherwise the analysis does, if it is wanted.
  decide() {
    const { turn } = this.view;
    const { analyse, compare, agents } = this.settings;
    if (this.thinkingAgent()) {
      const { agent, amount, unit } = this.state.seats[turn.player - 1];
      const limit = unit === "seconds" ? { seconds: amount } : { simulations: Math.max(1, Math.round(amount)) };
      this.think(0, "move", agent, limit);
    } else if (turn.player && analyse) this.think(0, "analyse", agents[0], {});
    else this.mind.rest(0);
    if (turn.player && analyse && compare) this.think(1, "analyse", agents[1], {});
    else this.mind.rest(1);
    this.drawStatus();
  }

  think(side, purpose, agent, limit) {
    const fresh = this.mind.think(side, purpose, this.place(this.view.moves), agent, limit, this.state.seed);
    if (fresh) this.seats.forEach(({ form }) => form.fail(""));
  }

  thought(thought, purpose) {
    const { side, done, chosen } = thought;
    this.resent = false;
    this.panel.thought(thought, purpose);
    if (side === 0) this.warm(thought);
    if (!done || !chosen) return;
    if (purpose === "move") this.play(chosen);
    if (purpose === "hint") this.showHint(thought);
  }

  // The heat map follows the thoughts of the first agent.
  warm(thought) {
    this.lastThought = thought;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.view.scene.cells.length) this.board.heat(this.settings.heat && this.mind.isBusy(0) ? this.lastThought.heat : null);
    });
  }

  refused(side, text, purpose) {
    // A server that was started anew does not know a pasted sheet; asking for the position makes it known again.
    if (this.state.game.startsWith("gdl:pasted") && !this.resent) {
      this.resent = true;
      return this.go(this.view.moves, this.state.redo);
    }
    const player = this.view.turn.player;
    if (purpose === "move" && player) {
      this.state.paused = true;
      this.seats[player - 1].form.fail(text);
    } else this.panel.fail(side, text);
    this.drawStatus();
    this.picker.reset(this.playable());
  }

  changedSearch(key) {
    keepView(this.settings);
    if (key === "compare") this.tree.compare(this.settings.compare);
    if (key === "heat" && this.lastThought) this.warm(this.lastThought);
    if (this.view) this.decide();
    if (key === "analyse" && !this.settings.analyse && this.view.scene.cells.length) this.board.heat(null);
  }

  hint() {
    if (!this.view.turn.player) return;
    const last = this.lastThought;
    if (this.mind.isAbout(last, 0, "analyse") && last.chosen) return this.showHint(last);
    this.think(0, "hint", this.settings.agents[0], { seconds: HINT_SECONDS });
    write(this.status, "Looking for a hint …");
    this.context.announce(this.status.textContent);
  }

  showHint({ chosen }) {
    const steps = this.view.legal.find(({ move }) => move === chosen)?.steps ?? [];
    if (this.view.scene.cells.length) this.board.mark([{ steps, label: "!", kind: "hint" }]);
    write(this.status, `Hint: ${chosen}`);
    this.context.announce(`Hint: ${chosen}`);
  }

  moveNow() {
    // The last thought is still meant, and its move is played.
    this.mind.decideNow(0);
  }

  // Shows a variation on the board while it is looked at.
  pointAt(candidate) {
    if (!this.view?.scene.cells.length) return;
    // What was thought about another position is not drawn on this one.
    if (!candidate || !(this.mind.isBusy(0) || this.mind.isBusy(1))) return this.board.mark([]);
    const moves = candidate.variation?.length ? candidate.variation.slice(0, 6) : [candidate.move];
    const steps = (move, at) => (at === 0 && candidate.steps ? candidate.steps : move.split(/[^\p{L}\p{N}]+/u).filter(Boolean));
    this.board.mark(moves.map((move, at) => ({ steps: steps(move, at), label: String(at + 1), kind: at % 2 ? "reply" : "line" })));
  }

  connection(state) {
    this.connectionLost = state === "lost";
    this.link.dataset.state = state;
    write(this.link, state === "lost" ? "connection lost, trying again …" : state === "open" ? "connected" : "");
  }

  close() {
    this.closed = true;
    document.removeEventListener("keydown", this.onKey);
    cancelAnimationFrame(this.frame);
    this.panel.close();
    this.tree.close();
    this.mind.close();
  }
}

// Whether the first player's pieces stand above the second one's.
function isUpside({ cells, pieces }) {
  const height = (player) => {
    const own = pieces.filter(({ owner }) => owner === player).map(({ cell }) => cells[cell].y);
    return own.length ? own.reduce((sum, y) => sum + y, 0) / own.length : 0;
  };
  return height(1) < height(2) - 1;
}

function keptView() {
  try {
    const { heat, compare, agents } = JSON.parse(localStorage.getItem(VIEW)) ?? {};
    const sound = Array.isArray(agents) && agents.length === 2 && agents.every((agent) => typeof agent === "string");
    return sound ? { heat: heat !== false, compare: compare === true, agents } : {};
  } catch {
    return {};
  }
}

function keepView({ heat, compare, agents }) {
  try {
    localStorage.setItem(VIEW, JSON.stringify({ heat, compare, agents }));
  } catch {
    // It is a convenience only.
  }
}

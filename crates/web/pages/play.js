// The room of play: a board, who plays, the search, its tree, reviews, and the record of the game.
//
// For tests, beside those of the modules that it is made of: `#board[data-moves]` is the number of moves made, `#board [data-cell="d4"]` a
// cell, `[data-card="copper"]` a card, `#buttons [data-move="roll"]` a move without cells, `#chooser [data-move]` one of several that are meant,
// `#status[data-turn]` is `1`, `2`, `chance` or `over`, `#connection[data-state]` is `open`, `lost` or `closed`,
// `#new-game`, `#undo`, `#redo`, `#hint`, `#swap`, `#flip`, `#pause`, `#sound`, `#move-now`, `#move-text`, `#move-error`, `#help`,
// `#rematch`, `#rematch-swapped`, `#to-review`, `#record [data-ply]`, `#copy-position`, `#copy-record`, `#link-position`, `#link-game`, `#load`, `#edit`,
// `#seat-1-preset`, `#seat-1-level`, `#seat-1-agent`, `#seat-1-amount`, `#seat-1-unit`, `#clock-1` and the same for seat 2.

import { post } from "./api.js";
import { Board, isUpside } from "./board.js";
import { Clocks } from "./clock.js";
import { paint } from "./colours.js";
import { capital, element, playerName, write } from "./dom.js";
import { draggable } from "./drag.js";
import { Editor } from "./editor.js";
import { address, fromAddress, keep, keepView, kept, keptView, newGame, record, sheets } from "./game.js";
import { TreePicture } from "./icicle.js";
import { helpDialog, pressed } from "./keys.js";
import { Mind } from "./mind.js";
import { NewGameDialog } from "./newgame.js";
import { read } from "./notation.js";
import { Picker } from "./picker.js";
import { RecordPanel } from "./record.js";
import { ReviewPanel } from "./review.js";
import { RulesDrawer } from "./rules.js";
import { SearchPanel } from "./search.js";
import { Seat } from "./seats.js";
import * as sound from "./sound.js";
import { Tabs } from "./tabs.js";
import { icon, MoveForm, Toolbar } from "./tools.js";
import { Trays } from "./trays.js";
import { EvaluationBar, Values } from "./value.js";
import { allMoves, jump, redo, undo } from "./walk.js";

const HINT_SECONDS = 1;

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
    this.mind = new Mind({
      thought: (thought, purpose) => this.thought(thought, purpose),
      waiting: (side, before) => this.panel.say(side, `Waiting: ${before} searches come first.`),
      refused: (side, text, purpose) => this.refused(side, text, purpose),
      node: (node) => this.tree.node(node),
      picture: (picture) => this.tree.picture(picture),
      noNode: (text) => this.tree.none(text),
      searching: (side, running, fresh) => this.tree.searching(side, running, fresh),
      status: (state) => this.connection(state),
    });
    this.build(container);
  }

  build(container) {
    const touch = (name) => this.touched(name);
    this.picker = new Picker({ play: (move) => this.play(move), changed: () => this.view && this.light() });
    this.board = new Board({ touch });
    draggable(this.board, {
      may: (name) => this.picker.targets.has(name) || this.picker.path.at(-1) === name,
      pick: (name) => this.picker.path.at(-1) === name || this.picker.touch(name),
      drop: (name) => (name && (this.picker.targets.has(name) || this.picker.path.length) ? this.picker.touch(name) : this.light()),
    });
    this.trays = new Trays({ touch });
    this.boardBox = element("div.board-box", { id: "board", "data-moves": 0 }, this.board.svg);
    this.bar = new EvaluationBar();
    this.middle = element("div.middle", {}, this.bar.body, this.boardBox);
    this.plain = element("pre.plain", { hidden: true, tabindex: 0, "aria-label": "the position as text" });
    this.status = element("p.status", { id: "status" }, " ");
    this.after = element("div.row.after", { hidden: true }, this.button("rematch", "Rematch", () => this.rematch(false)), this.button("rematch-swapped", "Rematch, seats swapped", () => this.rematch(true)), this.button("to-review", "Review", () => this.review()));
    this.chooser = element("div.row.chooser", { id: "chooser", hidden: true, role: "group", "aria-label": "which move" });
    this.buttons = element("div.row.moves", { id: "buttons", role: "group", "aria-label": "moves" });
    this.seats = [0, 1].map((at) => this.seat(at));
    this.clocks = new Clocks({ shown: this.seats.map(({ clock }) => clock), over: (player) => this.timeOver(player) });
    this.panels();
    this.dialog = new NewGameDialog({ about: this.about, start: (game) => this.start(game) });
    this.editor = new Editor({ use: (start) => this.start({ game: this.state.game, start, moves: [] }) });
    this.rules = new RulesDrawer();
    this.left = element("section.table", { "aria-label": "game" });
    this.tools = new Toolbar({
      undo: () => undo(this),
      redo: () => redo(this),
      hint: () => this.hint(),
      swap: () => this.swap(),
      flip: () => this.change({ flip: !this.state.flip }),
      pause: () => this.pause(),
      now: () => this.mind.decideNow(0),
      sound: () => {
        sound.turn(!sound.isOn());
        this.tools.heard(sound.isOn());
      },
    });
    this.moveForm = new MoveForm({ legal: () => this.playable(), play: (move) => this.play(move), help: () => this.helpDialog.showModal() });
    this.left.append(this.title(), this.seats[1].body, this.middle, this.plain, this.trays.body, this.seats[0].body, this.status, this.after, this.chooser, this.buttons, this.tools.body, this.moveForm.body);
    this.helpDialog = helpDialog();
    this.tabs = new Tabs({ label: "search and review", panels: [["search", "Search", element("div.stack.search-tab", {}, this.panel.body, this.tree.body, this.panel.chartBox)], ["review", "Review", this.reviewPanel.body]] });
    const right = element("div.aside", {}, element("div.panel.upper", {}, this.tabs.body), element("div.panel.lower", {}, this.values.body, this.record.body));
    this.all = element("div.play", {}, this.left, right);
    container.append(this.all, this.dialog.body, this.editor.body, this.helpDialog, this.rules.body);
    // A rule sheet may be dropped anywhere.
    this.all.addEventListener("dragover", (event) => event.preventDefault());
    this.all.addEventListener("drop", (event) => this.dialog.dropped(event, this.state.game));
    this.onKey = (event) => pressed(event, () => this.picker.cancel());
    document.addEventListener("keydown", this.onKey);
  }

  button(id, text, act) {
    return element("button", { type: "button", id, onclick: act }, text);
  }

  // What stands beside the board.
  panels() {
    this.tree = new TreePicture({
      ask: (side, path, least) => this.mind.picture(side, path, least),
      open: (side, path) => this.mind.open(side, path),
      point: (path) => this.pointAt(path && { move: path[0], variation: path }),
    });
    this.panel = new SearchPanel({
      about: this.about,
      settings: this.settings,
      suits: this.suits(),
      point: (candidate) => this.pointAt(candidate),
      open: (side, path) => this.tree.select(side, path),
      changed: (key) => this.changedSearch(key),
    });
    this.tree.compare(this.settings.compare);
    this.values = new Values({ jump: (ply) => ply <= allMoves(this).length && jump(this, ply) });
    this.reviewPanel = new ReviewPanel({
      about: this.about,
      suits: this.suits(),
      game: () => ({ place: this.place(allMoves(this), false), view: this.view, names: this.names() }),
      jump: (ply) => jump(this, ply),
      point: (mistake) => this.showMistake(mistake),
      changed: (review) => {
        this.values.set(review);
        this.drawValues();
      },
    });
    const here = () => `${location.origin}${location.pathname}`;
    this.record = new RecordPanel({
      jump: (ply) => jump(this, ply),
      texts: {
        position: () => this.view?.position ?? "",
        record: () => record({ ...this.state, moves: allMoves(this) }),
        linkPosition: () => here() + address({ ...this.state, start: this.view.position, moves: [], redo: [], shown: null }),
        linkGame: () => here() + address({ ...this.state, moves: allMoves(this), redo: [] }),
      },
      load: () => this.dialog.open(this.state.game, true),
      edit: () => this.edit(),
    });
  }

  title() {
    this.name = element("h1", { id: "game-name" }, this.state.game);
    const fresh = element("button.primary", { type: "button", id: "new-game", title: "New game (n)", onclick: () => this.dialog.open(this.state.game) }, icon("plus"), element("span", {}, "New game"));
    const rules = element("button", { type: "button", id: "rules", title: "How to play (i)", "aria-expanded": "false", "aria-controls": "rules-drawer" }, icon("book"), element("span", {}, "Rules"));
    rules.addEventListener("click", () => this.rules.toggle(this.state.game, rules));
    this.back = element("a.button", { id: "back-to-run", hidden: true, href: "#/experiments" }, "← the run");
    this.link = element("span.connection", { id: "connection", "data-state": "closed" }, "");
    return element("div.row.head", {}, this.name, this.link, element("span.push"), this.back, rules, fresh);
  }

  seat(at) {
    const change = (more) => this.changedSeat(at, more);
    return new Seat({ at, seat: this.state.seats[at], about: this.about, suits: this.suits(), change });
  }

  // ---- The position

  async begin() {
    this.clocks.set(this.state.minutes);
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
      this.moveForm.complain(error.message);
      this.picker.reset(this.playable());
    }
  }

  settle(view) {
    const from = this.view;
    const same = Boolean(from) && from.game === view.game && from.start === view.start;
    this.view = view;
    this.state.moves = view.moves;
    keep(this.state);
    if (this.connectionLost) this.connection("open");
    this.moveForm.complain("");
    this.status.classList.remove("wrong");
    this.mind.forget(this.place(view.moves));
    this.orient(view);
    this.drawSeats();
    this.drawBoard(same && Math.abs(from.moves.length - view.moves.length) <= 6 ? from : null);
    if (same) this.panel.fit(this.suits(), view.parameters);
    else this.other(view);
    this.reviewPanel.fit(this.suits(), view.parameters);
    if (same && from.moves.length < view.moves.length) this.sounded(from, view);
    this.forgetValues(from, view);
    this.picker.reset(this.playable());
    this.drawValues();
    this.decide();
    this.clocks.run(this.state.shown || this.state.paused || this.state.redo.length ? null : (view.turn.player ?? null));
    const made = view.last && from?.moves.length !== view.moves.length ? `${view.last.move}. ` : "";
    this.context.announce(made + this.status.textContent);
  }

  // Another game: nothing that was found is about it.
  other(view) {
    this.panel.clear(this.suits(), view.parameters);
    this.tree.clear();
    this.values.clear();
    this.reviewPanel.clear();
    this.record.stop();
    this.rules.show(this.state.game);
  }

  // What was thought of positions that this game no longer has.
  forgetValues(from, view) {
    const moves = allMoves(this);
    const common = moves.findIndex((move, at) => move !== this.line?.[at]);
    const kept = common < 0 ? Math.min(moves.length, this.line?.length ?? 0) : common;
    for (const ply of this.values.known.keys()) if (ply > kept) this.values.known.delete(ply);
    const { review } = this.values;
    // A review is of the whole game; what is added to it is not reviewed.
    if (review && common >= 0 && common < Math.min(moves.length, review.plies.length - 1)) this.values.review = null;
    this.line = moves;
  }

  sounded(from, view) {
    const fewer = view.scene.pieces.length < from.scene.pieces.length;
    sound.play(view.turn.over ? "over" : fewer ? "capture" : "move");
  }

  drawValues() {
    const { view, state } = this;
    const moves = allMoves(this);
    this.values.draw(view, moves.length);
    const marks = new Map((this.values.review?.mistakes ?? []).map(({ ply, judgement }) => [ply, judgement]));
    this.record.show(view.moves, state.redo, marks);
    this.drawBar();
  }

  drawBar() {
    const over = this.view.turn.over ? { 0: 0.5, 1: 1, 2: 0 }[this.view.turn.winner] : undefined;
    this.bar.body.hidden = this.players() === 1 || !this.view.scene.cells.length;
    this.bar.show(over ?? this.values.at(this.view.moves.length), this.view, this.state.flip);
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
    this.middle.hidden = bare;
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
    this.left.insertBefore(this.seats[top].body, this.middle);
    this.left.insertBefore(this.seats[bottom].body, this.status);
    const { shown } = this.state;
    this.seats.forEach((seat, at) => seat.show(this.state.seats[at], this.view, this.suits(), shown?.names[at]));
    if (shown?.agents) this.seats.forEach(({ named }, at) => (named.title = shown.agents[at]));
    this.back.hidden = !shown?.back;
    if (shown?.back) this.back.href = shown.back;
    paint(this.all, this.view);
    write(this.name, this.state.game.startsWith("gdl:pasted") ? "pasted rule sheet" : this.state.game);
    document.title = `${this.name.textContent} · spinney`;
  }

  drawStatus() {
    const { turn, score } = this.view;
    this.status.dataset.turn = turn.over ? "over" : (turn.player ?? "chance");
    this.status.classList.toggle("over", Boolean(turn.over));
    this.after.hidden = !turn.over || Boolean(this.state.shown);
    const result = `Game over: ${turn.text?.replace(/ \(.*?\)/, "")}.`;
    const points = score === null || score === undefined ? "" : ` · score ${score}`;
    write(this.status, turn.over ? result : capital(`${this.sentence(turn)}${points}`));
    const { redo, paused } = this.state;
    this.tools.show(this.view, { redo, paused, agents: this.hasAgents(), alone: this.players() === 1, thinking: this.thinkingAgent() });
    this.seats.forEach(({ busy }, at) => (busy.hidden = !(this.thinkingAgent() && turn.player === at + 1)));
  }

  sentence(turn) {
    if (turn.chance) return "Chance is to draw.";
    if (this.clocks.flag) return `The time of ${playerName(this.view, this.clocks.flag)} is over.`;
    const name = this.players() === 1 ? "You are" : `${playerName(this.view, turn.player)} is`;
    const { shown } = this.state;
    if (shown) return `${name} to move.${shown.result ? ` The game ended: ${shown.result}.` : ""}`;
    // What is asked, not only of whom.
    const asked = this.view.prompt ? `${this.players() === 1 ? "" : `${playerName(this.view, turn.player)}: `}${this.view.prompt}.` : `${name} to move.`;
    if (!this.thinkingAgent()) return this.isPerson() ? asked : `${name} to move; paused.`;
    const who = this.players() === 1 ? "The agent" : playerName(this.view, turn.player);
    return `${who} is thinking …`;
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

  hasAgents() {
    return this.state.seats.slice(0, this.players()).some(({ agent }) => agent !== "person");
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
    const meant = path.length ? new Set(this.picker.open.map(({ move }) => move)) : null;
    this.panel.touched(meant);
    this.tree.touched(meant);
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

  // The same game again.
  rematch(swapped) {
    const [first, second] = this.state.seats;
    const seats = swapped ? [second, first] : [first, second];
    const flip = swapped && this.players() === 2 ? !this.state.flip : this.state.flip;
    return this.start({ game: this.state.game, start: this.state.start, moves: [], minutes: this.state.minutes }, { seats, flip });
  }

  async edit() {
    const first = await this.ask(this.place([], false)).catch(() => this.view);
    const initial = this.state.start ? await this.ask({ game: this.state.game, moves: [] }).catch(() => first) : first;
    this.editor.open(this.view, initial, this.state.flip !== this.upside);
  }

  review() {
    this.tabs.show("review");
    this.reviewPanel.start.focus();
    if (!this.reviewPanel.running) this.reviewPanel.run();
  }

  names() {
    const { shown, seats } = this.state;
    if (shown) return shown.names;
    return this.players() === 2 ? seats.map(({ agent }) => agent) : null;
  }

  // A bad move and the better one, on the position before it.
  showMistake({ move, best }) {
    setTimeout(() => {
      const steps = (written) => this.view.legal.find((one) => one.move === written)?.steps ?? [];
      if (this.view.scene.cells.length) this.board.mark([{ steps: steps(move), label: "?", kind: "reply" }, { steps: steps(best), label: "!", kind: "line" }]);
    }, 350);
  }

  timeOver(player) {
    this.state.paused = true;
    this.mind.rest(0);
    this.drawStatus();
    this.context.announce(`The time of ${playerName(this.view, player)} is over.`);
  }

  async start({ game, start, moves, seed, seats: placed, minutes = 0 }, more = {}) {
    const players = this.about.games.find(({ name }) => name === read(game).name)?.players ?? 2;
    const fresh = newGame(game, players);
    const fits = players === this.players() && !start;
    let seats = fits && !this.state.shown ? this.state.seats : fresh.seats;
    if (placed && players === 2) seats = seats.map((seat, at) => placed[at](seat));
    if (placed && players === 1) seats = [placed[0] === placed[1] && this.dialog.who.value === "none" ? placed[0](seats[0]) : seats[0], seats[1]];
    const first = seats[0].agent !== "person" && seats[1].agent === "person" && players === 2;
    const state = { ...fresh, start, seed: seed ?? fresh.seed, seats, minutes, flip: placed ? first : fits && this.state.flip, ...more };
    const number = ++this.asking;
    const view = await this.ask({ game, position: start, moves, seed: state.seed, chance: true });
    if (number !== this.asking) return;
    this.state = state;
    this.view = null;
    this.line = [];
    this.clocks.set(minutes);
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
    else this.rest(0);
    if (turn.player && analyse && compare) this.think(1, "analyse", agents[1], {});
    else this.rest(1);
    this.drawStatus();
  }

  rest(side) {
    this.mind.rest(side);
    this.panel.rest(side, Boolean(this.view.turn.over));
  }

  think(side, purpose, agent, limit) {
    const fresh = this.mind.think(side, purpose, this.place(this.view.moves), agent, limit, this.state.seed);
    if (fresh) this.seats.forEach(({ form }) => form.fail(""));
  }

  thought(thought, purpose) {
    const { side, done, chosen } = thought;
    this.resent = false;
    this.panel.thought(thought, purpose);
    if (side === 0) {
      this.values.note_thought(this.view.moves.length, thought, this.view.turn.player);
      this.warm(thought);
    }
    if (!done || !chosen) return;
    if (purpose === "move") this.play(chosen);
    if (purpose === "hint") this.showHint(thought);
  }

  // The heat map follows the thoughts of the first agent.
  warm(thought) {
    this.lastThought = thought;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.drawBar();
      if (this.graphIsDue()) this.drawValues();
      if (this.view.scene.cells.length) this.board.heat(this.settings.heat && this.mind.isBusy(0) ? this.lastThought.heat : null);
    });
  }

  // The graph need not follow every thought.
  graphIsDue() {
    const now = performance.now();
    if (!this.lastThought.done && now - (this.drawnAt ?? 0) < 500) return false;
    this.drawnAt = now;
    return true;
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
    this.record.stop();
    this.reviewPanel.close();
    this.clocks.close();
    this.panel.close();
    this.tree.close();
    this.mind.close();
  }
}

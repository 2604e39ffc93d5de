// The room of play: a board, who plays, the search, its tree, reviews, and the record of the game.
//
// For tests, beside those of the modules that it is made of: `#board[data-moves]` is the number of moves made, `#board [data-cell="d4"]` a
// cell, `[data-card="copper"]` a card, `#buttons [data-move="roll"]` a move without cells, `#chooser [data-move]` one of several that are meant,
// `#status[data-turn]` is `1`, `2`, `chance` or `over`, `#connection[data-state]` is `open`, `lost` or `closed`,
// `#new-game`, `#undo`, `#redo`, `#hint`, `#swap`, `#flip`, `#pause`, `#sound`, `#move-now`, `#move-text`, `#move-error`, `#help`,
// `#rematch`, `#rematch-swapped`, `#to-review`, `#record [data-ply]`, `#copy-position`, `#copy-record`, `#link-position`, `#link-game`, `#load`, `#edit`,
// `#seat-1-preset`, `#seat-1-level`, `#seat-1-agent`, `#seat-1-amount`, `#seat-1-unit`, `#clock-1` and the same for seat 2.

import { post } from "./api.js";
import { isUpside } from "./board.js";
import { paint } from "./colours.js";
import { capital, element, playerName, write } from "./dom.js";
import { fromAddress, keep, kept, keptView, newGame, sheets } from "./game.js";
import { Mind } from "./mind.js";
import { read } from "./notation.js";
import * as sound from "./sound.js";
import { Thinking } from "./thinking.js";

/// Opens the room.
export async function show(container, address, context) {
  const room = new Room(container, address, context);
  await room.begin();
  return () => room.close();
}

// A rule sheet by its own name.
function titleOf(game) {
  if (game.startsWith("gdl:pasted")) return "pasted rule sheet";
  return game.startsWith("gdl:") ? `${game.slice(4)} (rule sheet)` : game;
}

class Room extends Thinking {
  constructor(container, address, context) {
    super();
    this.context = context;
    this.about = context.about;
    this.state = fromAddress(address.query) ?? kept() ?? newGame();
    this.settings = { analyse: false, compare: false, heat: true, ponder: false, agents: ["mcts", "mcts(rb(a=online), qb(a=online))"], ...keptView() };
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
    this.forgetValues();
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

  sounded(from, view) {
    const fewer = view.scene.pieces.length < from.scene.pieces.length;
    sound.play(view.turn.over ? "over" : fewer ? "capture" : "move");
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
    // What stands where it should is left there, so that nothing is laid out again in vain.
    if (this.middle.previousSibling !== this.seats[top].body) this.left.insertBefore(this.seats[top].body, this.middle);
    if (this.status.previousSibling !== this.seats[bottom].body) this.left.insertBefore(this.seats[bottom].body, this.status);
    const { shown } = this.state;
    this.seats.forEach((seat, at) => seat.show(this.state.seats[at], this.view, this.suits(), shown?.names[at]));
    if (shown?.agents) {
      this.seats.forEach(({ named }, at) => {
        named.append(element("small", {}, ` ${shown.agents[at]}`));
        named.title = shown.agents[at];
      });
    }
    this.back.hidden = !shown?.back;
    if (shown?.back) this.back.href = shown.back;
    paint(this.all, this.view);
    write(this.name, titleOf(this.state.game));
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

  names() {
    const { shown, seats } = this.state;
    if (shown) return shown.names;
    return this.players() === 2 ? seats.map(({ agent }) => agent) : null;
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

// What the room of play is made of, and where it stands.

import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { element } from "./dom.js";
import { draggable } from "./drag.js";
import { Editor } from "./editor.js";
import { address, record } from "./game.js";
import { TreePicture } from "./icicle.js";
import { helpDialog, pressed } from "./keys.js";
import { NewGameDialog } from "./newgame.js";
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

/// The elements of the room; what they do is told by the rooms that grow from it.
export class Stage {
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
    this.after = element("div.row.after", { hidden: true }, this.button("rematch", "Rematch", () => this.rematch(false)), this.button("rematch-swapped", "Swap and rematch", () => this.rematch(true)), this.button("to-review", "Review", () => this.review()));
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
    this.tabs = new Tabs({ label: "search and review", panels: [["search", "Search", element("div.stack.search-tab", {}, this.panel.body, this.tree.body)], ["review", "Review", this.reviewPanel.body]] });
    const right = element("div.aside", {}, element("div.panel.upper", {}, this.tabs.body), element("div.panel.lower", {}, element("div.graphs", {}, this.values.body, this.panel.chartBox), this.record.body));
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
}

// The frame: which room is open, and what all rooms share.
//
// An address is `#/room/part/…?key=value`. The module of a room exports `show(container, address, context)`, where
// `address` is `{ parts: ["part", …], query: URLSearchParams }` and `context` is `{ about, announce, go }`; it returns a
// function that tears the room down. A room that changes its own address without being opened anew uses
// `history.replaceState`. `body[data-ready]` is `true` once the room can be used.
//
// The room of play reads `#/play?game=amazons(size=8)&position=…&moves=d1-d4/d8+…`: moves are separated by spaces,
// `replay=1` opens them at the beginning, to be stepped through.

import { element } from "./dom.js";

const ROOMS = {
  play: () => import("./play.js"),
  diagnosis: () => import("./diagnosis.js"),
  experiments: () => import("./experiments.js"),
  matches: () => import("./matches.js"),
};

const container = document.getElementById("view");
const about = JSON.parse(document.getElementById("about").textContent);
let close = null;
let opened = 0;

function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [room, ...parts] = path.split("/").map(decodeURIComponent);
  return { room: room || "play", parts, query: new URLSearchParams(query) };
}

/// Says something to those who listen rather than look.
function announce(text) {
  document.getElementById("announcer").textContent = text;
}

function problem(text) {
  return element("section.panel", {}, element("h1", {}, "This did not work"), element("p.error", { role: "alert" }, text));
}

async function open() {
  const number = ++opened;
  const address = parse(location.hash);
  const room = Object.hasOwn(ROOMS, address.room) ? address.room : "play";
  for (const link of document.querySelectorAll("[data-room]")) {
    if (link.dataset.room === room) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.dataset.ready = "false";
  document.body.dataset.open = room;
  close?.();
  close = null;
  try {
    const module = await ROOMS[room]();
    // Another room may have been opened while this one was on its way.
    if (number !== opened) return;
    container.replaceChildren();
    const context = { about, announce, go: (hash) => (location.hash = hash) };
    const tearDown = await module.show(container, address, context);
    if (number !== opened) return tearDown?.();
    close = tearDown;
  } catch (error) {
    if (number !== opened) return;
    container.replaceChildren(problem(error.message));
  }
  document.body.dataset.ready = "true";
  performance.mark("ready");
}

window.addEventListener("hashchange", open);
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  container.focus();
});
open();

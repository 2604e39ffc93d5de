// What the rooms of diagnosis and experiments share: streams of events, figures, numbers as people read them.

import { Refused } from "./api.js";
import { element, figure, write } from "./dom.js";

/// Reads server-sent events until they end: `handlers` has a function for each kind. A refusal is thrown, unlike with
/// EventSource, which hides it and asks for what has ended again. With a body it is a POST.
export async function listen(address, handlers, signal, body) {
  const headers = { accept: "text/event-stream", ...(body ? { "content-type": "application/json" } : {}) };
  const response = await fetch(address, { signal, headers, method: body ? "POST" : "GET", body: body && JSON.stringify(body) });
  if (!response.ok) {
    const body = await response.json().catch(() => null);
    throw new Refused(body?.error ?? `server: status ${response.status}`, response.status, false);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) tell(block, handlers);
  }
}

function tell(block, handlers) {
  let kind = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) kind = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  if (data.length) handlers[kind]?.(JSON.parse(data.join("\n")));
}

/// Shows figures in a place; those that did not change stay as they are. `address(number)` is where one can be taken away.
export function showFigures(container, figures, address = null) {
  while (container.children.length > figures.length) container.lastChild.remove();
  figures.forEach((one, index) => {
    const node = container.children[index] ?? container.appendChild(emptyFigure());
    const [title, wide, narrow, caption, save] = node.children;
    save.hidden = !address;
    if (address) save.href = address(index);
    node.className = `plot ${one.kind ?? "curve"}`;
    write(title, one.title);
    write(caption, one.caption);
    caption.hidden = !one.caption;
    if (node.drawn === one.svg) return;
    node.drawn = one.svg;
    figure(wide, one.svg);
    figure(narrow, one.narrow);
  });
}

function emptyFigure() {
  const parts = [element("h3"), element("div.wide"), element("div.narrow"), element("figcaption.caption"), element("a.save", { download: "", "data-download": "svg", hidden: true }, "SVG")];
  return element("figure.plot", {}, parts);
}

/// Runs a task over and over until it is torn down: a lost connection comes back by itself.
export async function persist(task, signal, lost) {
  let wait = 500;
  while (!signal.aborted) {
    const started = Date.now();
    try {
      await task();
      return;
    } catch (error) {
      if (signal.aborted) return;
      // What the server refuses it would refuse again.
      if (error instanceof Refused && error.status < 500) throw error;
      if (Date.now() - started > 5000) wait = 500;
      lost();
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(2 * wait, 8000);
    }
  }
}

/// Where the room of experiments begins.
export const HOME = "#/experiments";

/// The address of a run and of what is in it.
export const runAddress = (...parts) => [`${HOME}/run`, ...parts.map(encodeURIComponent)].join("/");

/// A way back.
export function back(text = "All experiments", href = HOME) {
  return element("p.back", {}, element("a", { href, id: "back" }, `← ${text}`));
}

/// A table in a region that can be scrolled by keys.
export function table(id, title, columns, rows, kind = "") {
  const head = columns.map(([text, name]) => element("th", { scope: "col", class: name }, text));
  return element(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": title },
    element(`table${kind}`, { id }, element("caption", {}, title), element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)),
  );
}

/// 12345 as 12 345.
export function count(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/// A number with its thing: `counted(1, "game")`.
export function counted(number, thing) {
  return `${count(number)} ${thing}${number === 1 ? "" : "s"}`;
}

/// 0.123 as 12.3; what lies in the middle goes to the even digit, as in reports.
export function percent(fraction) {
  if (!Number.isFinite(fraction)) return "–";
  const tenths = 1000 * fraction;
  const below = Math.floor(tenths);
  const rounded = tenths - below === 0.5 ? below + (below % 2) : Math.round(tenths);
  return (rounded / 10).toFixed(1);
}

/// Seconds in the unit that suits them.
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "unknown";
  if (seconds < 1) return "under a second";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86400).toFixed(1)} days`;
}

// Speaking with the server: questions by fetch, thinking over a WebSocket. See docs/web.md.

/// A mistake that the server named; `sheet` says that it no longer knows a pasted rule sheet.
export class Refused extends Error {
  constructor(text, status, sheet) {
    super(text);
    this.status = status;
    this.sheet = sheet;
  }
}

async function answer(response) {
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  throw new Refused(body?.error ?? `server: status ${response.status}`, response.status, body?.sheet === true);
}

/// Asks with GET.
export async function get(address, signal) {
  return answer(await fetch(address, { signal }));
}

/// Asks with POST and a body of JSON.
export async function post(address, body, signal) {
  const headers = { "content-type": "application/json" };
  return answer(await fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;

/// A connection for thinking that comes back by itself. What is being thought about is asked for again after a loss.
///
/// `listener` has the functions `thought`, `waiting`, `node`, `picture`, `error` and `status("open" | "lost" | "closed")`.
export class Thinker {
  constructor(listener) {
    this.listener = listener;
    this.wanted = [null, null];
    this.wait = FIRST_WAIT_MS;
    this.closed = false;
  }

  /// Starts a search of a side, replacing the one before.
  think(side, question) {
    this.wanted[side] = question;
    this.send({ think: { side, ...question } });
  }

  /// Ends a search early.
  stop(side) {
    if (!this.wanted[side]) return;
    this.wanted[side] = null;
    if (this.socket?.readyState === WebSocket.OPEN) this.send({ stop: { side } });
  }

  /// Asks for a node of a side's tree.
  open(side, path) {
    if (this.socket?.readyState === WebSocket.OPEN) this.send({ open: { side, path } });
  }

  /// Asks for a side's tree as a picture: boxes of at least this share of the visits.
  picture(side, path, least) {
    if (this.socket?.readyState === WebSocket.OPEN) this.send({ picture: { side, path, least } });
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.connect();
  }

  connect() {
    if (this.closed || this.timer || this.socket?.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/think`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.listener.status("open");
      this.wanted.forEach((question, side) => question && this.send({ think: { side, ...question } }));
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => this.lost();
  }

  receive(text) {
    const message = JSON.parse(text);
    const [kind, body] = Object.entries(message)[0] ?? [];
    // A finished search is not asked for again after a loss; one that was replaced is not the one that is wanted.
    const ends = (kind === "thought" && body.done) || kind === "error";
    if (ends && this.wanted[body.side]?.question === body.question) this.wanted[body.side] = null;
    this.listener[kind]?.(body);
  }

  lost() {
    if (this.closed) return;
    this.listener.status(this.wanted.some(Boolean) ? "lost" : "closed");
    if (!this.wanted.some(Boolean)) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.connect();
    }, this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
  }
}

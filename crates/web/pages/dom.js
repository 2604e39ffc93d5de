// Making and changing elements. Text from the server goes in as text, never as markup; `figure` is the one exception.

const SVG = "http://www.w3.org/2000/svg";

/// An HTML element: `element("button.primary", { id: "go", onclick }, "Go")`. Falsy children are left out.
export function element(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  set(node, attributes);
  add(node, children);
  return node;
}

/// The same for SVG.
export function drawn(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElementNS(SVG, name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
  }
  add(node, children);
  return node;
}

function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "disabled") node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
}

function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

/// Writes a text only if it differs, so that nothing is laid out again in vain.
export function write(node, text) {
  text = String(text);
  if (node.textContent !== text) node.textContent = text;
}

/// Sets a style only if it differs.
export function style(node, key, value) {
  if (node.style[key] !== value) node.style[key] = value;
}

/// Puts a picture drawn by the server's own figures into a place.
export function figure(node, svg) {
  if (svg) node.innerHTML = svg;
}

/// A field with its label above it.
export function field(label, control, note) {
  return element("label.field", {}, element("span", {}, label), control, note && element("small", {}, note));
}

/// A select whose options are texts or `[value, text]`; with groups: `{ group: [...] }`.
export function choice(attributes, options, value) {
  const option = (entry) => {
    const [key, text] = Array.isArray(entry) ? entry : [entry, entry];
    return element("option", { value: key }, text);
  };
  const grouped = Array.isArray(options)
    ? options.map(option)
    : Object.entries(options).map(([label, list]) => element("optgroup", { label }, list.map(option)));
  const node = element("select", attributes, grouped);
  if (value !== undefined) node.value = value;
  return node;
}

/// 12345678 as 12.3 M.
export function short(number) {
  if (number === null || number === undefined || Number.isNaN(number)) return "–";
  if (number < 10000) return String(Math.round(number));
  if (number < 1e6) return `${(number / 1e3).toFixed(number < 1e5 ? 1 : 0)} k`;
  if (number < 1e9) return `${(number / 1e6).toFixed(number < 1e7 ? 2 : 1)} M`;
  return `${(number / 1e9).toFixed(1)} G`;
}

/// With a real minus, and a plus where the sign matters.
export function signed(number, digits = 3) {
  if (number === null || number === undefined || !Number.isFinite(number)) return "–";
  const text = Math.abs(number).toFixed(digits);
  return (number < 0 ? "−" : "+") + text;
}

/// A player's name without what the game says about it in brackets.
export function playerName(view, player) {
  const name = (view.players[player - 1] ?? "").replace(/ \(.*$/, "");
  return /^\d*$/.test(name) ? `player ${player}` : name;
}

/// With a capital, as a sentence begins.
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Games and agents as they are written: `mcts(c=1, rb(k=8, a=online))`.

/// Takes a text apart into its name and its entries; what it does not understand stays as it is.
export function read(text) {
  const match = /^\s*([^(\s]+)\s*(?:\((.*)\))?\s*$/s.exec(text ?? "");
  if (!match) return { name: (text ?? "").trim(), entries: [] };
  return { name: match[1], entries: split(match[2] ?? "").map(entry) };
}

/// Puts it together again.
export function written({ name, entries }) {
  const parts = entries.map(({ key, value, list }) => {
    if (list) return list.length ? written({ name: key, entries: list }) : key;
    return value === null ? key : `${key}=${value}`;
  });
  return parts.length ? `${name}(${parts.join(", ")})` : name;
}

function entry(text) {
  const brackets = /^([\w.-]+)\s*\((.*)\)$/s.exec(text);
  if (brackets) return { key: brackets[1], value: null, list: split(brackets[2]).map(entry) };
  const at = text.indexOf("=");
  if (at < 0) return { key: text, value: null };
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

// At the commas that are in no brackets.
function split(text) {
  const parts = [];
  let depth = 0;
  let part = "";
  for (const letter of text) {
    if (letter === "," && depth === 0) {
      parts.push(part);
      part = "";
      continue;
    }
    depth += "([".includes(letter) ? 1 : ")]".includes(letter) ? -1 : 0;
    part += letter;
  }
  return [...parts, part].map((one) => one.trim()).filter(Boolean);
}

/// The entry of a key.
export function find(expression, key) {
  return expression.entries.find((one) => one.key === key) ?? null;
}

/// The text with a key set to a value; `null` takes it out, `true` writes it as a flag.
export function changed(text, key, value) {
  const expression = read(text);
  const entries = expression.entries.filter((one) => one.key !== key);
  if (value === true) entries.push({ key, value: null });
  else if (Array.isArray(value)) entries.push({ key, value: null, list: value });
  else if (value !== null && value !== "") entries.push({ key, value });
  return written({ ...expression, entries });
}

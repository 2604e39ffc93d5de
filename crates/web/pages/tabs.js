// Tabs: one panel of several is seen. Arrow keys go from tab to tab.
//
// For tests: `[data-tab="review"]`.

import { element } from "./dom.js";

export class Tabs {
  /// `panels` is `[[key, title, body]]`; `chosen(key)` is told of changes.
  constructor({ label, panels, chosen = () => {} }) {
    this.chosen = chosen;
    this.panels = new Map();
    const list = element("div.tabs", { role: "tablist", "aria-label": label });
    this.body = element("div.tabbed", {}, list);
    for (const [key, title, body] of panels) {
      const tab = element("button", { type: "button", role: "tab", id: `tab-${key}`, "data-tab": key, "aria-controls": `panel-${key}`, onclick: () => this.show(key) }, title);
      const panel = element("div.tab-panel", { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, tabindex: 0 }, body);
      this.panels.set(key, { tab, panel });
      list.append(tab);
      this.body.append(panel);
    }
    list.addEventListener("keydown", (event) => this.key(event));
    this.show(panels[0][0]);
  }

  show(key) {
    this.current = key;
    for (const [own, { tab, panel }] of this.panels) {
      tab.setAttribute("aria-selected", String(own === key));
      tab.tabIndex = own === key ? 0 : -1;
      panel.hidden = own !== key;
    }
    this.chosen(key);
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const keys = [...this.panels.keys()];
    const next = keys[(keys.indexOf(this.current) + step + keys.length) % keys.length];
    this.show(next);
    this.panels.get(next).tab.focus();
  }
}

// A tuning: what its model says of each parameter, and what the check found.
//
// For tests: #tuning-best, #tuning-parameters tr, #tuning-figures figure svg.

import { get } from "./api.js";
import { element } from "./dom.js";
import { back, count, HOME, percent, runAddress, showFigures, table } from "./lab.js";

/// Shows a tuning as it is now.
export async function showTuning(room, name) {
  const waiting = element("p.muted", {}, "Its model is being computed …");
  room.root.append(back(), waiting);
  const found = await get(`api/experiments/runs/${encodeURIComponent(name)}/tuning`, room.closing.signal);
  waiting.remove();
  const range = ({ low, high }) => (low === null ? "" : ` [${percent(low)}, ${percent(high)}]`);
  const check = found.check && `In ${count(found.check.games)} games that the tuner has not seen it scores ${percent(found.check.score)} %${range(found.check)} against the baseline.`;
  const expected = found.expected === null ? "Nothing is known yet." : `The model expects ${percent(found.expected)} %${range(found)}.`;
  const row = ({ name: parameter, range: words, best }) => element("tr", {}, element("th", { scope: "row" }, parameter), element("td", {}, words), element("td.mono", {}, best ?? "–"));
  const figures = element("div.figures", { id: "tuning-figures" });
  room.root.append(
    element("header", {}, element("h1", {}, found.title || name), element("p.about", {}, found.about)),
    element(
      "section.panel.stack",
      { "aria-label": "What was found" },
      element("p", { id: "tuning-best" }, found.best ? element("code", {}, found.best) : "The tuning goes on."),
      element("p", {}, [expected, check].filter(Boolean).join(" ")),
      element("p.muted", {}, `${count(found.played)} of ${count(found.planned)} games of the tuner, in `, element("code", {}, found.game), "; agent ", element("code", {}, found.agent), ", baseline ", element("code", {}, found.baseline)),
      element("p", {}, element("a", { href: runAddress(name) }, "The games as a run"), " · ", element("a", { href: HOME }, "all experiments")),
    ),
    table("tuning-parameters", "Parameters", [["Parameter"], ["Range"], ["Best"]], found.parameters.map(row)),
    element("section.stack", { "aria-label": "Figures" }, element("h2", {}, "Along each parameter"), figures),
  );
  showFigures(figures, found.figures);
}

// Pieces that are dragged, with a mouse, a pen or a finger. A drag is two touches: where it begins and where it ends. What
// merely clicks stays a click.

import { drawn } from "./dom.js";

const FAR = 6;

/// Lets pieces of a board be dragged. `may(name)` says whether something can be picked up there, `pick(name)` picks it up,
/// `drop(name | null)` lets go of it.
export function draggable(board, { may, pick, drop }) {
  const { svg } = board;
  let held = null;
  const cellAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest?.("[data-cell]")?.dataset.cell ?? null;
  const place = ({ clientX, clientY }) => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    held.ghost.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(1.12)`);
  };
  const end = () => {
    held?.ghost?.remove();
    held?.piece?.node.classList.remove("lifted");
    svg.classList.remove("dragging");
    held = null;
  };
  svg.addEventListener("pointerdown", (event) => {
    const name = cellAt(event);
    if (event.button || !event.isPrimary || !name || !may(name)) return;
    held = { name, x: event.clientX, y: event.clientY, id: event.pointerId };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
      svg.setPointerCapture(held.id);
      pick(held.name);
      held.piece = board.pieceAt(held.name);
      held.ghost = drawn("g.piece.ghost", {}, held.piece ? held.piece.inner.cloneNode(true) : drawn("circle.target.free", { r: 9 }));
      held.piece?.node.classList.add("lifted");
      board.layers.marks.append(held.ghost);
      svg.classList.add("dragging");
    }
    place(event);
  });
  svg.addEventListener("pointerup", (event) => {
    if (!held?.ghost) return (held = null);
    // The click that follows belongs to the drag; after a finger there is none.
    const swallow = (click) => click.stopImmediatePropagation();
    svg.addEventListener("click", swallow, { capture: true });
    setTimeout(() => svg.removeEventListener("click", swallow, { capture: true }), 60);
    const { name } = held;
    end();
    const target = cellAt(event);
    drop(target === name ? null : target);
  });
  // A finger that holds a piece does not scroll.
  svg.addEventListener("touchmove", (event) => held && event.cancelable && event.preventDefault(), { passive: false });
  svg.addEventListener("pointercancel", end);
}

"use strict";
for (const box of document.querySelectorAll(".command")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const source = box.querySelector("pre");
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  box.append(button);
}
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const numeric = heading.classList.contains("n");
      const now = heading.getAttribute("aria-sort");
      const order = now === null ? (numeric ? "descending" : "ascending") : now === "ascending" ? "descending" : "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const key = (row) => numeric ? row.cells[column].dataset.key : row.cells[column].textContent;
      const missing = (value) => value === undefined || value === "–";
      const rows = [...table.tBodies[0].rows].sort((left, right) => {
        const [a, b] = [key(left), key(right)];
        if (missing(a) || missing(b)) return missing(a) - missing(b);
        return sign * (numeric ? a - b : a.localeCompare(b, undefined, { numeric: true }));
      });
      table.tBodies[0].append(...rows);
    });
  });
}

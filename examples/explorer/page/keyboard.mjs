// Keys: arrows move over the elements of a picture; letters go to a field, a subject or the presets.
//
//     watchKeys({ choose, forget })     choose(cell): as a click on the cell; forget(): as Escape
const listed = [
  ["Tab", "the next field, subject or picture"],
  ["← ↑ → ↓", "in a picture: the next element in that direction"],
  ["Home, End", "in a picture: the first or the last element"],
  ["Escape", "closes the answer about an element"],
  ["/", "goes to the first field"],
  ["p", "goes to the presets"],
  ["[ and ]", "the subject before and the next one"],
  ["?", "opens and closes this list"],
];
const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/// The cells of a picture with their centres. No group of the SVG transforms their coordinates.
function cellsOf(figure) {
  return [...figure.querySelectorAll("rect:has(> title)")].map((cell) => {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(cell.getAttribute(name)));
    return { cell, x: x + width / 2, y: y + height / 2 };
  });
}

/// The nearest cell in a direction. A distance to the side counts four times.
function beyond(cells, from, [dx, dy]) {
  let best = from, least = Infinity;
  for (const each of cells) {
    const along = (each.x - from.x) * dx + (each.y - from.y) * dy;
    const aside = Math.abs((each.x - from.x) * dy) + Math.abs((each.y - from.y) * dx);
    if (along > 1 && along + 4 * aside < least) [best, least] = [each, along + 4 * aside];
  }
  return best;
}

function inPicture(event, figure, choose) {
  if (!steps[event.key] && event.key !== "Home" && event.key !== "End") return false;
  const cells = cellsOf(figure);
  const at = cells.find(({ cell }) => cell.classList.contains("chosen"));
  const next = event.key === "Home" ? cells[0] : event.key === "End" ? cells.at(-1)
    : at ? beyond(cells, at, steps[event.key]) : cells[0];
  if (!next) return false;
  next.cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (next !== at) choose(next.cell);
  return true;
}

function onPage(key, forget) {
  const go = (selector) => document.querySelector(selector)?.focus() ?? true;
  if (key === "Escape") return forget(), true;
  if (key === "/") return go("#fields input, #fields textarea");
  if (key === "p") return go("#preset");
  if (key === "?") return document.getElementById("keys").toggleAttribute("open"), true;
  const links = [...document.querySelectorAll("#subjects a")];
  const now = links.findIndex((each) => each.hasAttribute("aria-current"));
  const by = { "[": -1, "]": 1 }[key];
  if (!by) return false;
  return links[(now + by + links.length) % links.length].click(), true;
}

export function watchKeys({ choose, forget }) {
  const list = document.querySelector("#keys dl");
  for (const [keys, what] of listed) {
    list.append(Object.assign(document.createElement("dt"), { textContent: keys }),
      Object.assign(document.createElement("dd"), { textContent: what }));
  }
  addEventListener("keydown", (event) => {
    // AltGraph sets neither altKey nor ctrlKey on some systems.
    if (event.ctrlKey || event.altKey || event.metaKey || event.getModifierState("AltGraph")) return;
    const typing = event.target.closest("input, select, textarea");
    const figure = event.target.closest("figure");
    const done = figure && inPicture(event, figure, choose);
    if (done || ((!typing || event.key === "Escape") && onPage(event.key, forget))) event.preventDefault();
  });
}

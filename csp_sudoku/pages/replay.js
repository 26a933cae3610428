// The page on which a reader steps through a game. The element "data" has the game as csp_sudoku.pages.positions
// makes it; all sentences come from there, and every text is set as text, never as markup.

import { BoardView } from "./board.js";
import { Zoom } from "./zoom.js";

const game = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const positions = unfolded(game);
const view = new BoardView(document.querySelector("#board svg"), game.given);
const graph = document.querySelector("#graph svg");
const buttons = listed(game.turns);
let step = 0;
const zoom = new Zoom(at("board"), at("zoom"), { target: () => {
  const { last } = positions[step];
  return last === null ? null : view.grounds[last];
} });

at("main").classList.toggle("wide", game.size > 9);
zoom.load(document.querySelector("#board svg"), game.size);
at("first").addEventListener("click", () => show(0));
at("back").addEventListener("click", () => show(step - 1));
at("ahead").addEventListener("click", () => show(step + 1));
at("last").addEventListener("click", () => show(positions.length - 1));
at("slider").addEventListener("input", () => show(Number(at("slider").value)));
graph.addEventListener("click", (event) => show(turnAt(event.clientX)));
for (const one of document.querySelectorAll(".failures button")) {
  one.addEventListener("click", () => show(Number(one.dataset.turn)));
}
for (const one of document.querySelectorAll("input[name=view]")) one.addEventListener("change", () => show(step));
document.addEventListener("keydown", pressed);
window.addEventListener("hashchange", () => show(linked()));
show(linked());

// The position after each turn, and at the start, with all its cells.
function unfolded({ given, positions: found, turns }) {
  const nothing = () => new Array(given.length).fill(0);
  let now = { values: [...given], safe: nothing(), bombs: nothing(), unknown: nothing(), filledBy: nothing(), taboo: [] };
  return found.map((one, number) => {
    const turn = number ? turns[number - 1] : null;
    const isPlaced = turn?.outcome === "placed";
    const next = { ...now };
    for (const part of ["values", "safe", "bombs", "unknown", "filledBy"]) next[part] = [...now[part]];
    for (const [cell, safe, bombs, unknown] of one.moves) {
      next.safe[cell] = safe;
      next.bombs[cell] = bombs;
      next.unknown[cell] = unknown;
    }
    if (isPlaced) {
      next.values[turn.cell] = turn.value;
      next.filledBy[turn.cell] = turn.player;
    }
    if (turn?.outcome === "skipped") next.taboo = [...now.taboo, [turn.cell, turn.value]];
    next.last = turn?.cell ?? null;
    next.regions = isPlaced ? turn.regions : [];
    next.open = one.open === null ? null : one.open.map((cells) => new Set(cells));
    next.best = (turns[number]?.best ?? []).map(([row, column, value]) => [row * game.size + column, value]);
    now = next;
    return { ...next, scores: one.scores, told: one.told };
  });
}

// Show a position, by the number of turns that led to it.
function show(number) {
  step = Math.min(Math.max(0, Math.trunc(number) || 0), positions.length - 1);
  const position = positions[step];
  const turn = step ? game.turns[step - 1] : null;
  view.show(position, document.querySelector("input[name=view]:checked").value);
  at("slider").value = step;
  at("slider").setAttribute("aria-valuetext", turn ? turn.text : "the start");
  at("place").textContent = `${step} of ${positions.length - 1}`;
  position.scores.forEach((score, player) => {
    at(`score${player + 1}`).textContent = score;
  });
  at("text").textContent = turn ? turn.text : "The start.";
  at("remark").textContent = turn?.remark ?? "";
  at("next").textContent = position.told;
  at("before").textContent = game.turns[step]?.before ?? "";
  fill(at("broken"), (turn?.failures ?? []).map((text) => made("li", text)));
  showThinking(turn);
  showPlace();
  zoom.reveal();
}

// Show the proposals of a turn.
function showThinking(turn) {
  const proposals = turn?.proposals ?? [];
  at("thinking").hidden = proposals.length === 0;
  const all = proposals.length + (turn?.hidden ?? 0);
  const took = turn?.seconds === null || turn === null ? "" : `, turn ended after ${duration(turn.seconds)}`;
  const left = turn?.hidden ? `, the last ${proposals.length} of them here` : "";
  at("thinking").querySelector("summary").textContent = `${all} proposal${all === 1 ? "" : "s"}${left}${took}`;
  const rows = proposals.map(([move, seconds]) => {
    const row = made("tr");
    row.append(made("td", duration(seconds)), made("td", move));
    return row;
  });
  fill(at("thinking").querySelector("tbody"), rows);
}

// Mark the chosen turn in the list and in the graph, and in the address, so that it can be linked to.
function showPlace() {
  buttons.forEach((button, number) => {
    if (number === step) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  const list = at("turns");
  const chosen = buttons[step].parentElement;
  const top = chosen.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + chosen.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top;
  graph.querySelector(".cursor").setAttribute("transform", `translate(${abscissa(step)} 0)`);
  try {
    history.replaceState(null, "", `#${step}`);
  } catch {
    // A frame within a notebook has no address.
  }
}

// The list of turns: a button for the start and one for each turn.
function listed(turns) {
  const found = [made("button", "start")];
  turns.forEach((turn, place) => {
    const marks = { blunder: " ??", mistake: " ?", forfeit: " ??" }[turn.judgement] ?? "";
    const kind = { skipped: " skip", lost: " lost" }[turn.outcome] ?? "";
    const points = turn.reward ? ` +${turn.reward}` : "";
    const broken = turn.failures.length ? " !" : "";
    const button = made("button", `${place + 1}. ${turn.name}${points}${kind}${marks}${broken}`);
    const judged = turn.judgement ? ` ${turn.judgement}.` : "";
    button.setAttribute("aria-label", `${turn.text}${judged}`);
    found.push(button);
  });
  found.forEach((button, number) => {
    button.type = "button";
    button.addEventListener("click", () => show(number));
    const item = made("li");
    item.append(button);
    at("turns").append(item);
  });
  return found;
}

// Obey a key. The slider handles its own keys, and keys with a modifier belong to the browser.
function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.type === "range") return;
  if (zoom.pressed(event.key)) {
    event.preventDefault();
    return;
  }
  if (event.key === "m") {
    const views = [...document.querySelectorAll("input[name=view]")];
    views[(views.findIndex((one) => one.checked) + 1) % views.length].checked = true;
    show(step);
    return;
  }
  if (event.target.type === "radio" && event.key.startsWith("Arrow")) return;
  const target = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: positions.length - 1 }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  show(target);
}

// The turn that the address names, or 0.
function linked() {
  return Number(location.hash.slice(1)) || 0;
}

// The abscissa of a turn in the graph, and the turn at a place of the window.
function abscissa(number) {
  return Number(graph.dataset.zero) + number * Number(graph.dataset.step);
}

function turnAt(x) {
  const box = graph.getBoundingClientRect();
  const place = ((x - box.left) / box.width) * graph.viewBox.baseVal.width;
  return Math.round((place - Number(graph.dataset.zero)) / Number(graph.dataset.step));
}

// A time in seconds as text, with three digits.
function duration(seconds) {
  const [unit, size] = seconds >= 1 ? ["s", 1] : seconds >= 1e-3 ? ["ms", 1e-3] : ["µs", 1e-6];
  return `${Number((seconds / size).toPrecision(3))} ${unit}`;
}

// An element with a text.
function made(name, text = "") {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

// Replace the content of an element.
function fill(element, children) {
  element.replaceChildren(...children);
}

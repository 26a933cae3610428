// The page: it shows one flow at a time, which the fragment of the address names, and fills the lists of choices.

import { Analyse } from "./analyse.js";
import { get } from "./api.js";
import { choices, toast } from "./dom.js";
import { Explore } from "./explore.js";
import { Play } from "./play.js";
import { Tournament } from "./tournament.js";
import { Watch } from "./watch.js";

const SHAPES = ["2x2", "2x3", "2x4", "3x3", "2x5", "3x4", "4x4", "4x5", "5x5"];
const FLOWS = { explore: Explore, analyse: Analyse, play: Play, watch: Watch, tournament: Tournament };
const flows = {};

try {
  begin(await get("/api/about"));
} catch (error) {
  toast(error.message);
  throw error;
}

function begin(about) {
  const shapes = SHAPES.map((shape) => [shape, shapeName(shape)]);
  const starts = [...SHAPES.map((shape) => [`shape ${shape}`, `empty ${shapeName(shape)}`]),
    ...about.boards.map((name) => [`name ${name}`, name])];
  const modes = about.modes.map((mode) => [mode, mode]);
  const lists = { boards: [about.boards, "hard-3x3"], shapes: [shapes, "3x3"], starts: [starts, "name random-3x3"],
    modes: [modes, "classic"], players: [about.players, about.players.includes("champion") ? "champion" : null] };
  for (const select of document.querySelectorAll("select[data-list]")) choices(select, ...lists[select.dataset.list]);
  const tools = { about, boardChoice, analyseRecord };
  for (const [name, Flow] of Object.entries(FLOWS)) {
    flows[name] = new Flow(document.getElementById(`flow-${name}`), tools);
  }
  const second = document.querySelector("#flow-watch select[name=second]");
  if (about.players.includes("greedy")) second.value = "greedy";
  window.addEventListener("hashchange", route);
  route();
}

// Show the flow that the address names.
function route() {
  const [name, query = ""] = location.hash.slice(1).split("?");
  const chosen = name in FLOWS ? name : "explore";
  for (const one of Object.keys(FLOWS)) document.getElementById(`flow-${one}`).hidden = one !== chosen;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${chosen}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${document.querySelector(`#flow-${chosen} h1`).textContent} · csp_sudoku`;
  flows[chosen].open(new URLSearchParams(query));
}

// Analyse the record of a game.
function analyseRecord(text) {
  history.pushState(null, "", "#analyse");
  const query = new URLSearchParams();
  flows.analyse.readRecord(text).then(route, (error) => toast(error.message));
  if (query.size === 0) document.getElementById("content").focus();
}

// The board for a choice, as the server reads it.
function boardChoice(value) {
  const [kind, name] = value.split(" ");
  return kind === "shape" ? { shape: name.split("x").map(Number) } : { name };
}

// The name of a shape: its blocks, and its number of rows and columns.
function shapeName(shape) {
  const size = shape.split("x").reduce((product, part) => product * Number(part), 1);
  return `${shape.replace("x", "×")} (${size}×${size})`;
}

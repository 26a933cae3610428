// The flow for analysing positions: the map of all moves, the value, the best moves, and trying out moves.

import { Asker, ServerError } from "./api.js";
import { BoardPane, shown } from "./board_pane.js";
import { button, cellName, isTyping, made, partsOf, toast } from "./dom.js";
import { linkTo, plain, positionIn } from "./link.js";

const MOST_BEST = 16;
const REVIEW_S = 120; // Time for the review of a whole game, in seconds.
const JUDGEMENTS = { blunder: " ??", mistake: " ?", forfeit: " ??" };
const MAP_S = 20; // Time limit of a map, in seconds.
const LEAST_ROOM = 9; // Smallest side of the place of a candidate that can be read, in pixels.

class Analyse {
  constructor(section, { boardChoice }) {
    const { parts, buttons, forms } = partsOf(section);
    Object.assign(this, { section, parts, buttons, boardChoice });
    this.pane = new BoardPane(parts.pane, { onEnter: (cell, value) => this.play({ cell, value }), playsClicks: true,
      onZoom: () => this.suitView() });
    this.busy = new Set();
    this.maps = new Asker((isBusy, told) => this.setBusy("map", isBusy, told));
    this.values = new Asker((isBusy, told) => this.setBusy("value", isBusy, told));
    this.steps = new Asker((isBusy, told) => this.setBusy("step", isBusy, told));
    this.reviews = new Asker((isBusy, told) => this.setBusy("review", isBusy, told));
    this.line = [];
    this.at = 0;
    this.game = null;
    this.graph = null;
    buttons.stop.addEventListener("click", () => {
      for (const asker of [this.maps, this.values, this.steps, this.reviews]) asker.stop();
    });
    buttons.review.addEventListener("click", () => this.review());
    buttons.game.addEventListener("click", () => this.backToGame(this.at));
    buttons.first.addEventListener("click", () => this.go(0));
    buttons.back.addEventListener("click", () => this.go(this.at - 1));
    buttons.ahead.addEventListener("click", () => this.go(this.at + 1));
    buttons.last.addEventListener("click", () => this.go(this.line.length - 1));
    parts.slider.addEventListener("input", () => this.go(Number(parts.slider.value)));
    buttons.pass.addEventListener("click", () => this.play({}));
    buttons.copy.addEventListener("click", () => this.copy());
    parts.seconds.addEventListener("change", () => { this.entry().value = null; this.study(); });
    for (const one of section.querySelectorAll("input[name=analyse-view]")) {
      one.addEventListener("change", () => { this.isViewChosen = true; this.draw(); });
    }
    forms.start.addEventListener("submit", (event) => {
      event.preventDefault();
      const form = event.target.elements;
      this.start({ ...boardChoice(form.board.value), mode: form.mode.value });
    });
    forms.text.addEventListener("submit", (event) => {
      event.preventDefault();
      this.read(event.target.elements.text.value);
    });
    forms.text.file.addEventListener("change", async () => {
      const file = forms.text.file.files[0];
      if (file !== undefined) this.read(await file.text());
    });
    section.addEventListener("dragover", (event) => event.preventDefault());
    section.addEventListener("drop", (event) => this.dropped(event));
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  // Open the flow; `query` may have a position.
  open(query) {
    const position = positionIn(query);
    if (position !== null) {
      if (this.line.length && location.hash === linkTo(this.entry().state)) return;
      this.load("draw", position);
    } else if (this.line.length === 0) this.start({ name: "random-3x3" });
    else this.setAddress();
  }

  // Begin a game on a board.
  start(body) {
    return this.load("start", body);
  }

  // Read a text: the record of a game, or a board.
  read(text) {
    return /"turns"\s*:/.test(text) ? this.readRecord(text) : this.start({ text });
  }

  async load(name, body) {
    const found = await this.asked(this.steps, name, body);
    if (found === null) return;
    this.setLine(found.board, [{ state: found.state, text: "", name: "start" }], ["player 1", "player 2"], null);
  }

  async readRecord(text) {
    const found = await this.asked(this.steps, "record", { text, seconds: 60 });
    if (found === null) return;
    const line = found.states.map((state, number) => {
      const turn = number ? found.turns[number - 1] : null;
      return { state, text: turn ? turn.text : found.heading, name: turn ? named(turn) : "start" };
    });
    this.setLine(found.board, line, found.names, found.problems.length ? null : { text, line: [...line] });
    if (found.problems.length) toast(`This is not what the rules make of the game: ${found.problems[0]}`);
  }

  // Show another line; `game` has the text and the line of a recorded game, null if it is none.
  setLine(board, line, names, game) {
    this.board = board;
    this.game = game;
    this.showReview(null);
    this.line = line;
    this.at = 0;
    this.isViewChosen = false;
    this.pane.load(board, line[0].state.initial);
    this.suitView();
    this.parts.name1.textContent = names[0] === "player 1" ? names[0] : `player 1, ${names[0]}`;
    this.parts.name2.textContent = names[1] === "player 2" ? names[1] : `player 2, ${names[1]}`;
    this.listTurns();
    this.go(0);
  }

  // Review the whole game: the value of each turn, a graph, and a page to save.
  async review() {
    const { game } = this;
    this.maps.stop();
    this.values.stop();
    this.buttons.review.disabled = true;
    const found = await this.asked(this.reviews, "review", { text: game.text, seconds: REVIEW_S }, ({ told }) => {
      this.parts.reviewed.textContent = told;
    });
    this.buttons.review.disabled = false;
    if (found === null || this.game !== game) {
      this.parts.reviewed.textContent = "";
      return;
    }
    found.turns.forEach((turn, place) => Object.assign(game.line[place + 1], turn));
    this.showReview(found);
    this.backToGame(this.at);
  }

  // Show the graph of a review and the link to its page, or a message that there is none.
  showReview(found) {
    this.parts.game.hidden = this.game === null;
    this.parts.legend.hidden = this.parts.page.hidden = found === null;
    this.parts.reviewed.textContent = found?.told ?? "";
    this.parts.graph.replaceChildren();
    this.graph = null;
    if (this.pageAddress) URL.revokeObjectURL(this.pageAddress);
    this.pageAddress = null;
    if (found === null) return;
    const drawn = new DOMParser().parseFromString(found.graph, "text/html").querySelector("svg");
    this.graph = document.importNode(drawn, true);
    this.parts.graph.append(this.graph);
    this.graph.addEventListener("click", (event) => {
      const box = this.graph.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * this.graph.viewBox.baseVal.width;
      this.backToGame(Math.round((x - Number(this.graph.dataset.zero)) / Number(this.graph.dataset.step)));
    });
    this.pageAddress = URL.createObjectURL(new Blob([found.page], { type: "text/html" }));
    this.parts.page.href = this.pageAddress;
  }

  // Leave the tried-out line, and show a position of the game itself.
  backToGame(number) {
    this.line = [...this.game.line];
    this.listTurns();
    this.go(number);
  }

  // Show the place of the line in the graph, and the review of the turn.
  showPlace() {
    this.parts.remark.textContent = this.entry().remark ?? "";
    this.buttons.game.disabled = this.game === null || this.entry() === this.game.line[this.at];
    const x = Number(this.graph?.dataset.zero) + this.at * Number(this.graph?.dataset.step);
    this.graph?.querySelector(".cursor").setAttribute("transform", `translate(${x} 0)`);
  }

  entry() {
    return this.line[this.at];
  }

  // Show a position of the line, and study it.
  go(number) {
    if (this.line.length === 0) return;
    this.at = Math.min(Math.max(0, number), this.line.length - 1);
    const { state, text } = this.entry();
    state.scores.forEach((score, player) => { this.parts[`score${player + 1}`].textContent = score; });
    this.parts.told.textContent = state.told;
    this.parts.last.textContent = text;
    this.buttons.pass.hidden = !state.passes;
    this.parts.slider.max = this.line.length - 1;
    this.parts.slider.value = this.at;
    this.parts.slider.setAttribute("aria-valuetext", this.at ? text : "the start");
    this.parts.place.textContent = `${this.at} of ${this.line.length - 1}`;
    [...this.parts.turns.querySelectorAll("button")].forEach((one, place) => {
      if (place !== this.at) one.removeAttribute("aria-current");
      else one.setAttribute("aria-current", "step");
    });
    const list = this.parts.turns;
    const chosen = list.children[this.at];
    if (chosen) list.scrollTop = chosen.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
    this.setAddress();
    this.showPlace();
    this.draw();
    this.study();
  }

  setAddress() {
    if (!this.section.hidden) history.replaceState(null, "", linkTo(this.entry().state));
  }

  // Ask for the map and for the value, unless they are known.
  study() {
    this.maps.stop();
    this.values.stop();
    const entry = this.entry();
    this.showValue(entry);
    if (!entry.map?.complete) this.askMap(entry);
    if (!entry.value && !entry.state.over && !entry.state.passes) this.askValue(entry);
  }

  async askMap(entry) {
    const body = { ...plain(entry.state), seconds: MAP_S };
    const found = await this.asked(this.maps, "map", body, (map) => this.setMap(entry, map));
    if (found !== null) this.setMap(entry, found);
  }

  async askValue(entry) {
    const body = { ...plain(entry.state), seconds: Number(this.parts.seconds.value) };
    const found = await this.asked(this.values, "value", body, (value) => this.setValue(entry, value, false));
    if (found !== null) this.setValue(entry, found, true);
  }

  setMap(entry, map) {
    entry.map = map;
    if (this.entry() !== entry) return;
    this.draw();
    this.showValue(entry);
  }

  setValue(entry, value, isLast) {
    entry.guess = value;
    if (isLast) entry.value = value;
    if (this.entry() !== entry) return;
    this.draw();
    this.showValue(entry);
  }

  showValue({ map, value, guess, state }) {
    const found = value ?? guess;
    this.showBar(found, state);
    this.parts.map.textContent = map?.told ?? "";
    this.parts.line.textContent = found?.line_told ? `A line of best play: ${found.line_told}.` : "";
    if (state.over || state.passes) this.parts.value.replaceChildren(made("span", state.over ? "No moves to come." : ""));
    else if (!found) this.parts.value.replaceChildren(made("span", "The value is not known yet."));
    else {
      const chip = made("span", found.exact ? "exact" : "estimate", { class: `chip ${found.exact ? "exact" : "guess"}` });
      this.parts.value.replaceChildren(made("strong", signed(found.margin)), document.createTextNode(" "), chip,
        document.createTextNode(` ${found.told}`));
    }
    const best = found?.best ?? [];
    const size = this.board.size;
    const buttons = best.slice(0, MOST_BEST).map(([cell, number]) => {
      const isBomb = map && (map.bombs[cell] >> (number - 1)) & 1;
      const name = `${cellName(cell, size)}=${number}`;
      return button(isBomb ? `${name} (skip)` : name, () => this.play({ cell, value: number }), {
        class: isBomb ? "bomb" : "safe", "aria-label": `Play ${name}${isBomb ? ", a bomb, which skips the turn" : ""}`,
      });
    });
    const more = best.length - buttons.length;
    this.parts.best.replaceChildren(...(best.length ? [made("span", "Best: ")] : []), ...buttons,
      ...(more > 0 ? [made("span", `and ${more} more`)] : []));
  }

  // Show as a bar how the game ends if both play their best from here on; without a value, the lead of now.
  showBar(found, { scores, player, over }) {
    const ahead = over || !found ? 0 : player === 1 ? found.margin : -found.margin;
    const lead = scores[0] - scores[1] + ahead;
    const share = 0.5 + 0.5 * Math.tanh(lead / (2 * this.board.size));
    this.parts.bar.firstElementChild.style.width = `${(100 * share).toFixed(1)}%`;
    this.parts.bar.classList.toggle("guess", !over && !found?.exact);
    const what = over ? "Final lead" : found ? "Final lead at best play" : "Lead";
    const told = `${what} of player 1: ${signed(lead)}${over || !found || found.exact ? "" : ", an estimate"}`;
    this.parts.bar.setAttribute("aria-label", told);
    this.parts.bar.title = told;
  }

  draw() {
    const { state, map, value, guess } = this.entry();
    const best = (value ?? guess)?.best ?? [];
    const view = this.section.querySelector("input[name=analyse-view]:checked").value;
    this.pane.show(shown(state, map ?? null, best), map ? view : "none");
  }

  // Play a move from the shown position; the rest of the line is dropped.
  async play(body) {
    const { state } = this.entry();
    const found = await this.asked(this.steps, "move", { position: plain(state), ...body });
    if (found === null) return;
    if (found.objection !== null) {
      this.parts.last.textContent = found.objection;
      return;
    }
    const known = this.line[this.at + 1];
    if (!(known && same(known.state, found.state))) {
      const name = `${found.name}${found.reward ? ` +${found.reward}` : ""}${found.kind === "skipped" ? " skip" : ""}`;
      this.line.splice(this.at + 1, Infinity, { state: found.state, text: found.told, name });
      this.listTurns();
    }
    this.go(this.at + 1);
  }

  listTurns() {
    this.parts.turns.replaceChildren(...this.line.map(({ name, text, judgement }, number) => {
      const item = made("li");
      const mark = JUDGEMENTS[judgement] ?? "";
      const label = text ? { "aria-label": judgement ? `${text} ${judgement}.` : text } : {};
      item.append(button(number ? `${number}. ${name}${mark}` : name, () => this.go(number), label));
      return item;
    }));
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      toast("The link is on the clipboard.");
    } catch {
      toast("The address of this page is the link to this position.");
    }
  }

  async dropped(event) {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const text = file ? await file.text() : event.dataTransfer.getData("text/plain");
    if (text) this.read(text);
  }

  pressed(event) {
    if (this.section.hidden || event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) return;
    const act = { u: () => this.go(this.at - 1), n: () => this.go(this.at + 1), m: () => this.nextView(),
      home: () => this.go(0), end: () => this.go(this.line.length - 1) }[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  // Show moves if they are readable, else the number of bombs, until the reader chooses.
  suitView() {
    if (this.isViewChosen || this.board === undefined) return;
    const view = this.pane.zoom.cell / Math.ceil(Math.sqrt(this.board.size)) < LEAST_ROOM ? "heat" : "moves";
    const box = this.section.querySelector(`input[name=analyse-view][value=${view}]`);
    if (box.checked) return;
    box.checked = true;
    if (this.line.length) this.draw();
  }

  nextView() {
    this.isViewChosen = true;
    const views = [...this.section.querySelectorAll("input[name=analyse-view]")];
    views[(views.findIndex((one) => one.checked) + 1) % views.length].checked = true;
    this.draw();
  }

  setBusy(name, isBusy, told = "Searching …") {
    if (isBusy) this.busy.add(name);
    else this.busy.delete(name);
    this.parts.searching.textContent = told;
    this.parts.working.hidden = this.busy.size === 0;
  }

  async asked(asker, name, body, onProgress) {
    try {
      return await asker.ask(name, body, onProgress);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      this.parts.last.textContent = error.message;
      return null;
    }
  }
}

// The name of a turn in the list.
function named(turn) {
  const kind = { skipped: " skip", lost: " lost" }[turn.outcome] ?? "";
  return `${turn.name}${turn.reward ? ` +${turn.reward}` : ""}${kind}`;
}

function signed(margin) {
  return margin > 0 ? `+${margin}` : `${margin}`.replace("-", "−");
}

function same(one, other) {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

export { Analyse };

// The flow for exploring a puzzle: enter digits, solve, count, explain a clash, the next step, generate.

import { Asker, ServerError } from "./api.js";
import { BoardPane } from "./board_pane.js";
import { button, made, partsOf, toast } from "./dom.js";
import { linkTo } from "./link.js";

const FIRST = "53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79";
const LEVELS = [[0.4, "easy"], [0.6, "medium"], [1.1, "hard"]];

class Explore {
  constructor(section, { boardChoice }) {
    const { parts, buttons, forms } = partsOf(section);
    Object.assign(this, { parts, section, boardChoice });
    this.pane = new BoardPane(parts.pane, { onEnter: (cell, value) => this.enter(cell, value), canErase: true,
      unknownWord: "candidates" });
    this.asker = new Asker((isBusy, told = "Working …") => {
      parts.working.hidden = !isBusy;
      if (isBusy) parts.busy.textContent = told;
    });
    for (const name of ["solve", "hint", "count", "explain"]) {
      buttons[name].addEventListener("click", () => this.question(name));
    }
    buttons.stop.addEventListener("click", () => this.asker.stop());
    buttons.reset.addEventListener("click", () => this.reset());
    buttons.analyse.addEventListener("click", () => this.analyse());
    forms.read.addEventListener("submit", (event) => this.submitted(event, (form) => ({ text: form.text.value })));
    forms.named.addEventListener("submit", (event) => this.submitted(event, (form) => ({ name: form.name.value })));
    forms.empty.addEventListener("submit", (event) => this.submitted(event, (form) => shapeOf(form)));
    forms.generate.addEventListener("submit", (event) => this.generate(event));
    forms.generate.difficulty.addEventListener("input", () => this.showDifficulty(forms.generate));
    forms.read.file.addEventListener("change", () => this.readFile(forms.read));
    parts.candidates.addEventListener("change", () => { if (this.board !== null) this.show(); });
    this.board = null;
    this.showDifficulty(forms.generate);
  }

  // Open the flow; `query` may have a puzzle.
  open(query) {
    if (query.has("text")) this.load("read", { text: query.get("text") });
    else if (this.board === null) this.load("read", { text: FIRST });
  }

  submitted(event, body) {
    event.preventDefault();
    this.load("read", body(event.target.elements));
  }

  generate(event) {
    event.preventDefault();
    const form = event.target.elements;
    this.load("generate", { ...shapeOf(form), difficulty: Number(form.difficulty.value) });
  }

  async readFile(form) {
    const file = form.file.files[0];
    if (file === undefined) return;
    form.text.value = await file.text();
    form.requestSubmit();
  }

  // Load a board that the server reads or makes.
  async load(name, body) {
    const found = await this.asked(name, body);
    if (found === null) return;
    this.board = found;
    this.given = found.values;
    this.values = [...found.values];
    this.pane.load(found, this.given);
    const filled = found.values.filter(Boolean).length;
    this.answer(found.told ?? `${found.name}, ${filled} of ${found.values.length} cells given.`);
    this.show();
  }

  // Enter or erase a value; a value that a peer holds is shown with the cells that hold it.
  enter(cell, value) {
    if (this.given[cell]) {
      toast("This value is given.");
      return;
    }
    this.values[cell] = value;
    this.show();
    const clashes = this.clashes();
    this.pane.mark({ wrong: clashes });
    const empty = this.values.filter((one) => !one).length;
    if (clashes.length) this.answer("A value stands twice in a row, a column, a block or another region.");
    else this.answer(empty ? `${empty} cells are empty.` : this.board.rules.length
      ? "The board is full. “Solve” checks the rules." : "Solved: every region holds each value once.");
  }

  // The cells whose value occurs twice in a region.
  clashes() {
    const found = new Set();
    for (const region of this.board.regions) {
      const first = new Map();
      for (const cell of region) {
        const value = this.values[cell];
        if (!value) continue;
        if (first.has(value)) found.add(cell).add(first.get(value));
        else first.set(value, cell);
      }
    }
    return [...found];
  }

  show() {
    const isMarked = this.parts.candidates.checked;
    this.pane.show({ values: this.values, ...(isMarked ? { unknown: this.candidates() } : {}) }, isMarked ? "moves" : "none");
    this.pane.mark();
  }

  // For each empty cell, the mask of the values that no cell of its regions holds.
  candidates() {
    const full = 2 ** this.board.size - 1;
    const found = this.values.map((value) => (value ? 0 : full));
    for (const region of this.board.regions) {
      const held = region.reduce((mask, cell) => (this.values[cell] ? mask | (1 << (this.values[cell] - 1)) : mask), 0);
      for (const cell of region) found[cell] &= ~held;
    }
    return found;
  }

  reset() {
    if (this.board === null) return;
    this.values = [...this.given];
    this.show();
    this.answer("Back to the givens.");
  }

  // Ask one of the questions about the current board.
  async question(name) {
    if (this.board === null) return;
    const body = { text: this.board.text, values: this.values };
    const found = await this.asked(name, body, (progress) => {
      this.parts.busy.textContent = progress.told;
    });
    if (found === null) return;
    this.show();
    if (name === "hint") {
      this.showSteps(found);
      return;
    }
    this.answer(found.told, found.effort);
    if (name === "explain") this.pane.mark({ wrong: found.part });
    if (name === "solve" && found.values !== null) {
      this.values = found.values;
      this.show();
    }
  }

  // Show the next steps, up to one that places a value, which a button then enters.
  showSteps({ steps, told }) {
    if (steps.length === 0) {
      this.answer(told);
      return;
    }
    const last = steps.at(-1);
    const list = made("ol", "", { class: "steps" });
    list.append(...steps.map((step) => {
      const item = made("li");
      item.append(button(step.told, () => this.markStep(step), { class: "text" }));
      item.addEventListener("mouseenter", () => this.markStep(step));
      return item;
    }));
    this.parts.answer.replaceChildren(list);
    if (last.placements.length) {
      this.parts.answer.append(button("Take this step", () => {
        for (const [cell, value] of last.placements) this.enter(cell, value);
        this.question("hint");
      }));
    }
    this.markStep(last);
  }

  markStep(step) {
    const inRegions = step.regions.flatMap((region) => this.board.regions[region]);
    const targets = [...step.placements, ...step.eliminations].map(([cell]) => cell);
    this.pane.mark({ part: [...new Set([...inRegions, ...step.cells])].filter((cell) => !targets.includes(cell)),
      target: [...new Set(targets)] });
    if (targets.length) this.pane.choose(targets[0]);
  }

  analyse() {
    if (this.board === null) return;
    if (this.clashes().length) toast("A game needs a board without a clash.");
    else location.hash = linkTo({ shape: this.board.shape, variant: this.board.variant, values: this.values });
  }

  // The answer of the server; null if it was cancelled or refused; the reason of a refusal is shown.
  async asked(name, body, onProgress) {
    try {
      return await this.asker.ask(name, body, onProgress);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      this.answer(error.message);
      return null;
    }
  }

  answer(...texts) {
    this.parts.answer.replaceChildren(...texts.filter(Boolean).map((text, place) => {
      return made("p", text, place ? { class: "soft" } : {});
    }));
  }

  showDifficulty(form) {
    const value = Number(form.difficulty.value);
    const [, word] = LEVELS.find(([most]) => value < most);
    this.parts.difficulty.textContent = `${word} (${value.toFixed(2)})`;
    form.difficulty.setAttribute("aria-valuetext", this.parts.difficulty.textContent);
  }
}

function shapeOf(form) {
  return { shape: form.shape.value.split("x").map(Number) };
}

export { Explore };

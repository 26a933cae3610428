// The board of a flow: the drawing, a cursor that keys and the mouse move, and a keypad. It knows no rules; a flow
// learns which value was typed into which cell.

import { BoardView } from "./board.js";
import { button, cellName, isTyping, made } from "./dom.js";
import { Zoom } from "./zoom.js";

const SPACE = "http://www.w3.org/2000/svg";
const MARKS = ["part", "target", "wrong"];

class BoardPane {
  // `place` is the element for the board. `onEnter(cell, value)` is called for a value, and 0 stands for erasing.
  // Without it, values are only shown. With `canErase`, 0 can be typed; with `playsClicks`, a click on a candidate
  // enters it. `unknownWord` names the moves without a verdict. `onZoom` is called when the zoom changes.
  constructor(place, { onEnter = null, canErase = false, playsClicks = false, unknownWord = "undecided", label = "Board",
    onZoom = () => {} }) {
    this.unknownWord = unknownWord;
    this.onEnter = onEnter;
    this.canErase = canErase;
    this.playsClicks = playsClicks;
    this.frame = made("div", "", { class: "board", tabindex: "0", role: "application", "aria-label": label });
    this.frame.setAttribute("aria-describedby", `${place.closest("section").id}-cell`);
    this.status = made("p", "", { class: "cell-told", id: `${place.closest("section").id}-cell`, "aria-live": "polite" });
    this.pad = made("div", "", { class: "pad", role: "group", "aria-label": "Values" });
    const controls = made("div", "", { class: "zoom", role: "group", "aria-label": "Zoom" });
    this.zoom = new Zoom(this.frame, controls, { target: () => this.cursor, onChange: onZoom });
    const line = made("div", "", { class: "below" });
    line.append(this.status, controls);
    this.rules = made("details", "", { class: "box" });
    this.rules.append(made("summary", "Rules of this puzzle"), made("ul"));
    place.replaceChildren(this.frame, line, this.pad, this.rules);
    this.svg = null;
    this.foreseen = null;
    this.cursor = null;
    this.cell = 0;
    this.position = null;
    this.frame.addEventListener("keydown", (event) => this.pressed(event));
    this.frame.addEventListener("click", (event) => this.clicked(event));
  }

  // Show another board: `board` is the object of the server, and `given` has the values at the start.
  load(board, given) {
    const document_ = new DOMParser().parseFromString(board.svg, "image/svg+xml");
    this.svg = document.importNode(document_.documentElement, true);
    this.size = board.size;
    this.regions = board.regions;
    this.frame.replaceChildren(this.svg);
    this.rules.hidden = board.rules.length === 0;
    this.rules.open = true;
    this.rules.lastChild.replaceChildren(...board.rules.map((rule) => made("li", rule)));
    this.frame.style.setProperty("--most", `${Math.max(26, this.size * 5)}rem`);
    this.view = new BoardView(this.svg, given);
    this.grounds = [...this.svg.querySelectorAll("[data-ground]")];
    this.marks = this.layer("marks");
    this.foreseen = null;
    this.cursor = this.square(0, "cursor");
    this.svg.append(this.cursor);
    if (this.cell >= this.size * this.size) this.cell = 0;
    this.fillPad();
    this.choose(this.cell);
    this.zoom.load(this.svg, this.size);
  }

  // An empty group on top of the grounds and below the values.
  layer(name) {
    const group = document.createElementNS(SPACE, "g");
    group.setAttribute("class", name);
    this.grounds[0].parentElement.after(group);
    return group;
  }

  // A square over a cell.
  square(cell, name) {
    const found = document.createElementNS(SPACE, "rect");
    for (const key of ["x", "y", "width", "height"]) found.setAttribute(key, this.grounds[cell].getAttribute(key));
    found.setAttribute("class", name);
    return found;
  }

  // Show a position, as BoardView does; null values stand for nothing.
  show(position, view) {
    this.position = { ...blank(this.size), ...position };
    this.view.show(this.position, view);
    this.svg.append(this.cursor);
    this.tell();
  }

  // Mark cells: `found` has lists of cells for "part", "target" and "wrong".
  mark(found = {}) {
    this.marks.replaceChildren(...MARKS.flatMap((kind) => (found[kind] ?? []).map((cell) => this.square(cell, kind))));
  }

  // Show a proposed move, [row, column, value], pale in its cell; null shows none.
  foresee(move) {
    this.foreseen?.remove();
    this.foreseen = null;
    if (move === null || this.position === null) return;
    const [row, column, value] = move;
    const isOnBoard = [row, column].every((place) => place >= 0 && place < this.size) && value >= 1 && value <= this.size;
    const cell = row * this.size + column;
    if (!isOnBoard || this.position.values[cell]) return;
    this.foreseen = document.createElementNS(SPACE, "g");
    this.foreseen.setAttribute("class", "foreseen");
    const text = this.view.values[cell].cloneNode();
    text.textContent = value;
    text.setAttribute("class", "value");
    text.setAttribute("font-size", this.view.values[cell].parentElement.parentElement.getAttribute("font-size"));
    this.foreseen.append(this.square(cell, "veil"), text);
    this.cursor.before(this.foreseen);
  }

  // Choose a cell.
  choose(cell) {
    this.cell = cell;
    for (const key of ["x", "y"]) this.cursor.setAttribute(key, this.grounds[cell].getAttribute(key));
    this.tell();
  }

  // Announce the content of the chosen cell.
  tell() {
    if (this.position === null) return;
    const { values, safe, bombs, unknown } = this.position;
    const name = cellName(this.cell, this.size);
    if (values[this.cell]) {
      this.status.textContent = `${name}: ${values[this.cell]}`;
      return;
    }
    const parts = [["safe", safe], ["bombs", bombs], [this.unknownWord, unknown]]
      .map(([word, masks]) => [word, bits(masks[this.cell])])
      .filter(([, found]) => found.length > 0)
      .map(([word, found]) => `${word} ${found.join(" ")}`);
    this.status.textContent = `${name}: empty${parts.length ? `; ${parts.join("; ")}` : ""}`;
  }

  // Make the buttons of the keypad.
  fillPad() {
    this.pad.hidden = this.onEnter === null;
    const values = Array.from({ length: this.size }, (_, place) => place + 1);
    const keys = values.map((value) => button(`${value}`, () => this.enter(value), { "aria-label": `Enter ${value}` }));
    if (this.canErase) keys.push(button("⌫", () => this.enter(0), { "aria-label": "Erase" }));
    this.pad.replaceChildren(...keys);
    this.pad.style.setProperty("--columns", `${this.size > 9 ? Math.ceil((this.size + 1) / 2) : this.size + (this.canErase ? 1 : 0)}`);
  }

  enter(value) {
    this.onEnter?.(this.cell, value);
  }

  clicked(event) {
    const chosen = event.target.closest("[data-candidate]");
    const element = event.target.closest("[data-cell],[data-ground]");
    if (element === null) return;
    this.choose(Number(element.dataset.cell ?? element.dataset.ground));
    if (chosen !== null && this.playsClicks && event.detail < 2) this.enter(Number(chosen.dataset.candidate));
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.svg === null || isTyping(event)) return;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.key];
    if (step !== undefined) {
      const row = Math.min(this.size - 1, Math.max(0, Math.floor(this.cell / this.size) + step[0]));
      const column = Math.min(this.size - 1, Math.max(0, (this.cell % this.size) + step[1]));
      this.choose(row * this.size + column);
      this.zoom.reveal();
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (this.zoom.pressed(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const value = ["Backspace", "Delete", "0"].includes(event.key) ? 0 : keyValue(event.key);
    if (value === null || value > this.size || (value === 0 && !this.canErase)) return;
    event.preventDefault();
    event.stopPropagation();
    this.enter(value);
  }
}

// The value of a key: a digit, or a letter from a for 10; null for any other key. Letters beyond the size of the board
// stay free for commands, and so do capitals.
function keyValue(key) {
  if (/^[1-9]$/.test(key)) return Number(key);
  if (/^[a-p]$/.test(key)) return key.charCodeAt(0) - 87;
  return null;
}

// The values of a mask.
function bits(mask) {
  const found = [];
  for (let value = 1; value <= 25; value += 1) if (mask & (1 << (value - 1))) found.push(value);
  return found;
}

// An empty position.
function blank(size) {
  const nothing = new Array(size * size).fill(0);
  return { values: nothing, safe: nothing, bombs: nothing, unknown: nothing, filledBy: nothing, last: null, regions: [],
    open: null, taboo: [], best: [] };
}

// The position for BoardView, from the server's position and the moves of a map, if they are known.
function shown(state, map = null, best = []) {
  const filledBy = new Array(state.values.length).fill(0);
  state.occupied.forEach((cells, player) => { for (const cell of cells) filledBy[cell] = player + 1; });
  return {
    values: state.values,
    filledBy,
    last: state.last,
    regions: state.regions,
    open: state.open === null ? null : state.open.map((cells) => new Set(cells)),
    taboo: state.taboo,
    best,
    ...(map === null ? {} : { safe: map.safe, bombs: map.bombs, unknown: map.unknown }),
  };
}

export { BoardPane, shown };

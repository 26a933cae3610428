// The board of a page. It shows a position on the drawing that csp_sudoku.drawing.live has made: it sets the classes
// and the texts of elements, and knows no place of any of them.
//
// A position has, with one entry for each cell: values (0 for an empty cell), safe, bombs and unknown (masks in which
// bit v - 1 stands for the value v), filledBy (0, 1 or 2: the player who has filled the cell). It also has last (a cell
// or null), regions (those that the last move has completed), open (null, or two sets of cells), taboo and best (lists
// of [cell, value]).

const HEAT_LEVELS = 8;

class BoardView {
  // `svg` is the drawing, and `given` has the values of the board at the start.
  constructor(svg, given) {
    this.given = given;
    this.grounds = numbered(svg, "ground");
    this.cells = numbered(svg, "cell");
    this.regions = numbered(svg, "region");
    this.candidates = numbered(svg, "candidate");
    this.crosses = numbered(svg, "cross");
    this.values = this.cells.map((cell) => cell.querySelector(".value"));
    this.counts = this.cells.map((cell) => cell.querySelector(".count"));
    this.type = svg.querySelector(".template").getAttribute("font-size");
    this.moves = this.cells.map(() => null);
    this.keys = this.cells.map(() => "");
  }

  // Show a position. `view` says what empty cells show: "moves", "heat" (the number of bombs), or "none".
  show(position, view) {
    const marks = this.cells.map(() => ({ taboo: 0, best: 0 }));
    for (const kind of ["taboo", "best"]) {
      for (const [cell, value] of position[kind]) marks[cell][kind] |= 1 << (value - 1);
    }
    const most = Math.max(...position.bombs.map(count));
    this.cells.forEach((element, cell) => {
      const value = position.values[cell];
      const heat = !value && view === "heat";
      const level = heat ? heatLevel(count(position.bombs[cell]), most) : null;
      this.setStates(position, cell, value, level);
      const undecided = heat ? count(position.unknown[cell]) : 0;
      this.values[cell].textContent = value || "";
      this.values[cell].setAttribute("class", `value ${this.given[cell] ? "given" : "filled"}`);
      this.counts[cell].textContent = heat ? `${count(position.bombs[cell])}${undecided ? `?${undecided}` : ""}` : "";
      this.setMoves(element, cell, value || view !== "moves" ? null : position, marks[cell]);
    });
    this.regions.forEach((outline, region) => {
      outline.classList.toggle("now", position.regions.includes(region));
    });
  }

  // Set the classes of a cell and of its ground; `level` is its heat or null.
  setStates(position, cell, value, level) {
    const open = (player) => position.open !== null && position.open[player].has(cell);
    const closed = !value && position.open !== null && !open(0) && !open(1);
    const ground = ["ground"];
    if (this.given[cell]) ground.push("given");
    if (closed) ground.push("closed");
    if (level !== null) ground.push(`heat${level}`);
    if (position.last === cell) ground.push("last");
    this.grounds[cell].setAttribute("class", ground.join(" "));
    const states = ["cell"];
    if (position.filledBy[cell]) states.push(`filled${position.filledBy[cell]}`);
    for (const player of [0, 1]) if (open(player)) states.push(`open${player + 1}`);
    if (position.last === cell) states.push("last");
    this.cells[cell].setAttribute("class", states.join(" "));
  }

  // Show the candidates of a cell; none without a position. A cell that would look as before is left alone.
  setMoves(element, cell, position, marks) {
    const key = position === null
      ? ""
      : [position.safe[cell], position.bombs[cell], position.unknown[cell], marks.taboo, marks.best].join();
    if (key === this.keys[cell]) return;
    this.keys[cell] = key;
    this.moves[cell]?.remove();
    this.moves[cell] = null;
    if (position === null) return;
    const group = document.createElementNS(element.namespaceURI, "g");
    group.setAttribute("transform", `translate(${element.dataset.x} ${element.dataset.y})`);
    group.setAttribute("font-size", this.type);
    for (let value = 1; value < this.candidates.length; value += 1) {
      const bit = 1 << (value - 1);
      const isTaboo = (marks.taboo & bit) !== 0;
      const kind = position.safe[cell] & bit
        ? "safe"
        : position.bombs[cell] & bit || isTaboo ? "bomb" : position.unknown[cell] & bit ? "unknown" : null;
      if (kind === null) continue;
      const text = this.candidates[value].cloneNode(true);
      text.setAttribute("class", marks.best & bit ? `${kind} best` : kind);
      group.append(text);
      if (isTaboo) group.append(this.crosses[value].cloneNode(true));
    }
    element.append(group);
    this.moves[cell] = group;
  }
}

// The elements that have an attribute such as data-cell, each at the place of its number.
function numbered(svg, name) {
  const found = [];
  for (const element of svg.querySelectorAll(`[data-${name}]`)) found[Number(element.dataset[name])] = element;
  return found;
}

// The number of bits of a mask.
function count(mask) {
  let bits = 0;
  for (let rest = mask; rest; rest &= rest - 1) bits += 1;
  return bits;
}

// The shade of a number of bombs, as csp_sudoku.drawing.palette.heat_level.
function heatLevel(bombs, most) {
  return most <= HEAT_LEVELS ? bombs : Math.ceil((bombs * HEAT_LEVELS) / most);
}

export { BoardView };

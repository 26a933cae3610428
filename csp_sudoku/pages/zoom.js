// The zoom of a board in a frame that scrolls, so that the candidates of large boards, and of any board on a narrow
// screen, can be read. Buttons, the keys + and -, and the wheel with Ctrl change it.

const LEVELS = [1, 1.5, 2, 3, 4, 6];
const MOST_CELL = 160; // Largest side of a cell, in pixels.
const HEIGHT = 0.78; // Largest part of the window's height that the whole board takes.

class Zoom {
  // `frame` is the element around the drawing, and `controls` the one for the buttons. `target` returns the element that
  // comes into the middle; `onChange` is called after each change.
  constructor(frame, controls, { target, onChange = () => {} }) {
    Object.assign(this, { frame, controls, target, onChange, svg: null, size: 1, level: 1 });
    this.out = this.button("−", "Zoom out", "Zoom out (-)", () => this.step(-1));
    this.shown = document.createElement("output");
    this.into = this.button("+", "Zoom in", "Zoom in (+)", () => this.step(1));
    controls.replaceChildren(this.out, this.shown, this.into);
    frame.addEventListener("wheel", (event) => this.turned(event), { passive: false });
    window.addEventListener("resize", () => { if (this.svg !== null) this.set(this.level); });
  }

  button(text, label, title, act) {
    const found = document.createElement("button");
    Object.assign(found, { type: "button", textContent: text, title });
    found.setAttribute("aria-label", label);
    found.addEventListener("click", act);
    return found;
  }

  // Show another drawing as a whole; `size` is the number of its rows.
  load(svg, size) {
    Object.assign(this, { svg, size });
    this.set(1);
  }

  // The width of the drawing if the whole of it is shown.
  get whole() {
    return Math.min(this.frame.clientWidth || window.innerWidth, HEIGHT * window.innerHeight);
  }

  // The side of a cell, in pixels.
  get cell() {
    return (this.whole * this.level) / this.size;
  }

  get levels() {
    return LEVELS.filter((level) => level === 1 || (this.whole * level) / this.size <= MOST_CELL);
  }

  step(way, at = null) {
    const { levels } = this;
    const place = levels.findLastIndex((level) => level <= this.level) + way;
    if (place >= 0 && place < levels.length) this.set(levels[place], at);
  }

  // Show another level. The point `at` of the window stays where it is; without one, the target comes into the middle.
  set(level, at = null) {
    const before = this.svg.getBoundingClientRect();
    this.level = level;
    this.frame.classList.toggle("zoomed", level > 1);
    this.svg.style.width = level > 1 ? `${Math.round(this.whole * level)}px` : "";
    const after = this.svg.getBoundingClientRect();
    if (at !== null && before.width > 0) {
      this.frame.scrollLeft += (at.x - before.left) * (after.width / before.width) - (at.x - after.left);
      this.frame.scrollTop += (at.y - before.top) * (after.height / before.height) - (at.y - after.top);
    } else if (level > 1) this.reveal(true);
    this.shown.textContent = `${Math.round(level * 100)} %`;
    const { levels } = this;
    this.controls.hidden = levels.length === 1;
    this.out.disabled = level === levels[0];
    this.into.disabled = level === levels.at(-1);
    this.onChange();
  }

  // Scroll within the frame to the target; with `isCentred` into the middle.
  reveal(isCentred = false) {
    const target = this.target();
    if (target === null || this.level === 1) return;
    const box = target.getBoundingClientRect();
    const frame = this.frame.getBoundingClientRect();
    for (const [side, begin, end, length] of [["scrollLeft", "left", "right", "width"], ["scrollTop", "top", "bottom", "height"]]) {
      if (isCentred) this.frame[side] += (box[begin] + box[end] - frame[begin] - frame[end]) / 2;
      else if (box[begin] - box[length] < frame[begin]) this.frame[side] -= frame[begin] - box[begin] + box[length];
      else if (box[end] + box[length] > frame[end]) this.frame[side] += box[end] + box[length] - frame[end];
    }
  }

  // Obey a key; return whether it was one of the zoom.
  pressed(key) {
    const way = { "+": 1, "=": 1, "-": -1, _: -1 }[key];
    if (way !== undefined) this.step(way);
    return way !== undefined;
  }

  turned(event) {
    if (!event.ctrlKey || this.svg === null || event.deltaY === 0) return;
    event.preventDefault();
    this.step(event.deltaY < 0 ? 1 : -1, { x: event.clientX, y: event.clientY });
  }
}

export { Zoom };

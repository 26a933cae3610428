// The flow in which a person plays against a program.

import { isTyping } from "./dom.js";
import { GameTable } from "./game_table.js";

class Play extends GameTable {
  constructor(section, tools) {
    super(section, "play", true, tools);
    this.map = null;
    this.showsMap = false;
    this.buttons.hint.addEventListener("click", () => this.hint());
    this.buttons.map.addEventListener("click", () => this.toggleMap());
    this.buttons.resign.addEventListener("click", () => this.resign());
    const { side, opponent } = this.forms.setup.elements;
    side.addEventListener("change", () => { opponent.disabled = side.value === "both"; });
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  begin(form) {
    const opponent = form.opponent.value;
    return super.begin(form, {
      first: form.side.value === "2" ? opponent : "human",
      second: form.side.value === "1" ? opponent : "human",
    });
  }

  // Whether it is the person's turn.
  get isOurs() {
    return this.state !== null && !this.game.over && !this.state.over && !this.state.passes
      && this.game.people.includes(this.state.player);
  }

  told(state) {
    if (state.over || state.passes || this.game.people.length === 2) return state.told;
    return this.game.people.includes(state.player) ? "It is your turn." : "The opponent thinks …";
  }

  async enter(cell, value) {
    if (!this.isOurs) {
      this.advise("It is not your turn.");
      return;
    }
    const found = await this.send("/move", { player: this.state.player, cell, value });
    if (found?.objection) {
      const reason = found.objection;
      this.advise(`${reason[0].toUpperCase()}${reason.slice(1)}. It would lose the game, so it was not played.`);
      this.pane.mark({ wrong: [cell] });
    }
  }

  async hint() {
    if (!this.isOurs) return;
    this.advise("…");
    const found = await this.send("/hint", {});
    if (found !== null) this.advise(`Hint: ${found.told}${found.told.endsWith(".") ? "" : "."}`);
  }

  toggleMap() {
    this.showsMap = !this.showsMap;
    this.buttons.map.setAttribute("aria-pressed", `${this.showsMap}`);
    this.map = null;
    if (this.state !== null) this.draw();
    this.showMap();
  }

  async showMap() {
    if (!this.showsMap || !this.isOurs) return;
    const { state } = this;
    const map = await this.send("/map", {});
    if (map === null || this.state !== state) return;
    this.map = map;
    this.draw();
  }

  resign() {
    if (this.isOurs && window.confirm("Resign this game?")) this.send("/move", { player: this.state.player, resign: true });
  }

  changed() {
    const isOurs = this.isOurs;
    this.advise("");
    if (this.pane.svg !== null) this.pane.mark();
    for (const name of ["hint", "resign"]) this.buttons[name].disabled = !isOurs;
    this.showMap();
  }

  advise(text) {
    this.parts.advice.textContent = text;
  }

  pressed(event) {
    if (this.section.hidden || event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) return;
    if (event.key === "?") this.hint();
    else if (event.key.toLowerCase() === "m") this.toggleMap();
  }
}

export { Play };

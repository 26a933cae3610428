// The flow in which one watches two programs play, turn by turn.

import { get } from "./api.js";
import { button, counted, made } from "./dom.js";
import { GameTable } from "./game_table.js";

const REFRESH_MS = 4000;

class Watch extends GameTable {
  constructor(section, tools) {
    super(section, "watch", null, tools);
    this.buttons.pause.addEventListener("click", () => this.go(0));
    this.buttons.go.addEventListener("click", () => this.go(null));
    this.buttons.one.addEventListener("click", () => this.go(1));
    this.buttons.end.addEventListener("click", () => this.send("", null, "DELETE"));
    setInterval(() => { if (!section.hidden && !document.hidden) this.listGames(); }, REFRESH_MS);
  }

  open(query) {
    super.open(query);
    this.listGames();
  }

  async begin(form) {
    await super.begin(form, {
      first: form.first.value, second: form.second.value, pace: Number(form.pace.value),
    });
    this.listGames();
  }

  async go(turns) {
    const found = await this.send("/go", turns === null ? {} : { turns });
    if (found === null) return;
    this.game.paused = turns !== null;
    this.changed();
  }

  told(state) {
    return `${state.told}${this.game.paused && !state.over ? " The game is stopped." : ""}`;
  }

  changed() {
    const isOver = this.game.over;
    this.buttons.pause.disabled = isOver || this.game.paused;
    this.buttons.go.disabled = isOver || !this.game.paused;
    this.buttons.one.disabled = isOver || !this.game.paused;
    this.buttons.end.disabled = isOver;
    if (this.state !== null && !isOver) this.parts.told.textContent = this.told(this.state);
  }

  async listGames() {
    let games;
    try {
      ({ games } = await get("/api/games"));
    } catch {
      return;
    }
    this.parts.others.hidden = games.length === 0;
    const key = JSON.stringify(games);
    if (key === this.listed) return;
    this.listed = key;
    this.parts.games.replaceChildren(...games.map((game) => {
      const item = made("li");
      const state = game.over ? "over" : game.paused ? "stopped" : "under way";
      const text = `${game.names.join(" against ")}, ${game.shape.join("×")} ${game.mode}: ${counted(game.turns, "turn")}, ${state}`;
      item.append(button(text, () => {
        if (game.people.length && !game.over) location.hash = `#play?game=${game.id}`;
        else this.join(game.id);
      }));
      return item;
    }));
  }
}

export { Watch };

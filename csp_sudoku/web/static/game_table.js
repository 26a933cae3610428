// A game of the server on the page: its board, scores and turns, which come as events. Play and Watch are built on it.

import { get, post, request, ServerError } from "./api.js";
import { BoardPane, shown } from "./board_pane.js";
import { counted, duration, made, partsOf, toast } from "./dom.js";

const OWN = "own";

class GameTable {
  // `kind` is the name of the flow, which is the beginning of its address. `onEnter` is for values that are typed.
  constructor(section, kind, onEnter, { boardChoice, analyseRecord }) {
    const { parts, buttons, forms } = partsOf(section);
    Object.assign(this, { section, kind, parts, buttons, forms, boardChoice, analyseRecord });
    this.pane = new BoardPane(parts.pane, { onEnter: onEnter && ((cell, value) => this.enter(cell, value)) });
    this.game = null;
    this.source = null;
    this.state = null;
    forms.setup.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin(event.target.elements);
    });
    forms.setup.board.append(made("option", "another one …", { value: OWN }));
    forms.setup.board.addEventListener("change", () => this.showOwn());
    this.showOwn();
    buttons.analyse.addEventListener("click", () => this.analyse());
  }

  // Open the flow: join the game of the address, or the last one of this tab.
  open(query) {
    const id = query.get("game") ?? sessionStorage.getItem(this.kind);
    if (id !== null && id !== this.game?.id) this.join(id);
    else if (this.game !== null) this.setAddress();
  }

  // Show the field for a board in any notation if that is chosen.
  showOwn() {
    const { board, text } = this.forms.setup.elements;
    this.parts.own.hidden = board.value !== OWN;
    text.required = board.value === OWN;
  }

  // Begin a game that the form describes; `body` has further fields.
  async begin(form, body) {
    try {
      const game = await post("/api/games", {
        ...body,
        board: form.board.value === OWN ? { text: form.text.value } : this.boardChoice(form.board.value),
        mode: form.mode.value, seconds: Number(form.seconds.value),
      });
      this.take(game);
    } catch (error) {
      this.fail(error);
    }
  }

  // Join a game by its id.
  async join(id) {
    try {
      this.take(await get(`/api/games/${encodeURIComponent(id)}`));
    } catch (error) {
      sessionStorage.removeItem(this.kind);
      history.replaceState(null, "", `#${this.kind}`);
      this.fail(error);
    }
  }

  take(game) {
    this.source?.close();
    this.game = game;
    this.state = null;
    this.last = null;
    this.thinking = null;
    this.turns = 0;
    sessionStorage.setItem(this.kind, game.id);
    this.setAddress();
    this.parts.table.hidden = false;
    this.pane.load(game.board, game.board.values);
    this.pane.show({ values: game.board.values }, "none");
    game.names.forEach((name, place) => {
      const who = game.people.includes(place + 1) && game.people.length === 1 ? "you" : name;
      this.parts[`name${place + 1}`].textContent = `player ${place + 1}, ${who}`;
      this.parts[`score${place + 1}`].textContent = "0";
    });
    this.parts.turns.replaceChildren();
    this.parts.told.textContent = "The players are loaded …";
    this.parts.last.textContent = "";
    this.parts.record.href = `/api/games/${game.id}/record`;
    this.follow();
    this.changed();
  }

  follow() {
    const source = new EventSource(`/api/games/${this.game.id}/events`);
    this.source = source;
    const on = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
    on("start", ({ state }) => this.show(state, null));
    on("thinking", (event) => this.showThinking(event));
    on("turn", (event) => this.show(event.state, event));
    for (const kind of ["end", "failed"]) {
      on(kind, ({ told }) => {
        source.close();
        this.game.over = true;
        this.thinking = null;
        this.pane.foresee(null);
        this.parts.told.textContent = kind === "end" ? `The game is over. ${told}` : told;
        this.changed();
      });
    }
  }

  // Show the position after a turn, or the first one.
  show(state, event) {
    this.state = state;
    this.map = null;
    this.thinking = null;
    if (event !== null) {
      this.last = event.turn;
      this.turns = event.number;
      this.listTurn(event);
    }
    state.scores.forEach((score, player) => { this.parts[`score${player + 1}`].textContent = score; });
    this.parts.told.textContent = this.told(state);
    this.parts.last.textContent = this.last?.text ?? "";
    this.listLastProposals();
    this.draw();
    this.changed();
  }

  draw() {
    this.pane.show(shown(this.state, this.map), "moves");
    this.pane.foresee(this.thinking?.move ?? null);
  }

  // Show the proposals of the player to move; the last proposal is shown pale on the board.
  showThinking(event) {
    if (this.state === null || event.player !== this.state.player) return;
    this.thinking = event;
    this.pane.foresee(event.move);
    this.listProposals(event.proposals, `Player ${event.player} thinks: ${counted(event.proposals.length, "proposal")} so far`);
  }

  // List the proposals of a turn, the last one first; `told` is the heading.
  listProposals(proposals, told) {
    this.parts.thinking.textContent = told;
    this.parts.proposals.replaceChildren(...proposals.toReversed().map(([move, seconds], place) => {
      const row = made("tr", "", place ? {} : { class: "chosen" });
      row.append(made("td", duration(seconds)), made("td", move));
      return row;
    }));
  }

  // List the proposals of the last turn.
  listLastProposals() {
    const proposals = this.last?.proposals ?? [];
    const took = this.last?.seconds == null ? "" : `; the turn took ${duration(this.last.seconds)}`;
    const all = counted(proposals.length + (this.last?.hidden ?? 0), "proposal");
    this.listProposals(proposals, this.last ? `${all} of player ${this.last.player}${took}` : "Proposals");
  }

  listTurn({ number, turn }) {
    const kind = { skipped: " skip", lost: " lost" }[turn.outcome] ?? "";
    const text = `${number}. ${turn.name}${turn.reward ? ` +${turn.reward}` : ""}${kind}`;
    const item = made("li", text, { class: turn.player === 1 ? "one" : "two", title: turn.text });
    this.parts.turns.append(item);
    this.parts.turns.scrollTop = this.parts.turns.scrollHeight;
  }

  setAddress() {
    if (!this.section.hidden) history.replaceState(null, "", `#${this.kind}?game=${this.game.id}`);
  }

  async analyse() {
    try {
      this.analyseRecord(JSON.stringify(await get(`/api/games/${this.game.id}/record`)));
    } catch (error) {
      this.fail(error);
    }
  }

  // Send a request to the game; null if the server refuses it; then the reason is shown.
  async send(what, body, method = "POST") {
    try {
      return await request(method, `/api/games/${this.game.id}${what}`, method === "POST" ? body : undefined);
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  fail(error) {
    if (!(error instanceof ServerError)) throw error;
    toast(error.message);
  }

  // Methods that a subclass may override.
  told(state) {
    return state.told;
  }

  enter() {}

  changed() {}
}

export { GameTable };

// The flow for a store of games while a tournament adds to it: standings, crosstable, and any game.

import { get, ServerError } from "./api.js";
import { button, choices, made, partsOf } from "./dom.js";

const REFRESH_MS = 5000;

class Tournament {
  constructor(section, { about, analyseRecord }) {
    const { parts } = partsOf(section);
    Object.assign(this, { section, parts, analyseRecord });
    this.hasStores = about.stores.length > 0;
    parts.none.hidden = this.hasStores;
    parts.choice.hidden = !this.hasStores;
    choices(parts.store, about.stores.map((name, place) => [place, name]));
    parts.store.addEventListener("change", () => this.refresh());
    this.known = null;
    setInterval(() => { if (!section.hidden && !document.hidden) this.refresh(); }, REFRESH_MS);
  }

  open() {
    this.refresh();
  }

  async refresh() {
    if (!this.hasStores) return;
    const store = this.parts.store.value;
    let found;
    try {
      found = await get(`/api/stores/${store}`);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      this.parts.count.textContent = error.message;
      return;
    }
    this.parts.count.textContent = `${found.count.toLocaleString("en")} game${found.count === 1 ? "" : "s"}`;
    this.parts.tables.hidden = found.count === 0;
    const key = `${store} ${found.count}`;
    if (key === this.known) return;
    this.known = key;
    this.showStandings(found);
    this.showCrosstable(found);
    this.showGames(found, store);
  }

  showStandings({ standings }) {
    const head = ["", "player", "Elo", "95 %", "games", "wins", "draws", "losses", "score", "points", "skips"];
    const rows = standings.map((one, place) => [
      place + 1, one.player, Math.round(one.elo), one.elo_interval.map(Math.round).join(" to "), one.games, one.wins,
      one.draws, one.losses, `${(100 * one.score).toFixed(1)} %`, `${one.points}:${one.points_against}`, one.skips,
    ]);
    fillTable(this.parts.standings, head, rows, 1, 2);
  }

  showCrosstable({ names, crosstable }) {
    const head = ["player", ...names.map((_, place) => place + 1)];
    const rows = names.map((name, one) => [
      `${one + 1}. ${name}`,
      ...crosstable[one].map((score, other) => (one === other ? "–" : score === null ? "" : score.toFixed(2))),
    ]);
    fillTable(this.parts.crosstable, head, rows, 0, 1);
  }

  showGames({ games }, store) {
    const head = ["game", "first", "second", "board", "mode", "s per turn", "points", "result"];
    const rows = games.map((game) => [
      button(`${game.number}`, () => this.analyse(store, game.number), { "aria-label": `Analyse game ${game.number}` }),
      game.first, game.second, game.board, game.mode, game.time, game.points.join(":"),
      game.score === 0.5 ? "½ : ½" : game.score ? "1 : 0" : "0 : 1",
    ]);
    fillTable(this.parts.games, head, rows, 0, 5);
  }

  async analyse(store, number) {
    try {
      this.analyseRecord((await get(`/api/stores/${store}/games/${number}`)).text);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      this.parts.count.textContent = error.message;
    }
  }
}

// Fill a table; the cell in column `named` is the head of its row, and the first `words` columns have words, the others
// numbers.
function fillTable(table, head, rows, named, words) {
  const lineOf = (contents, headAt, scope) => {
    const line = made("tr");
    line.append(...contents.map((content, place) => {
      const isHead = headAt(place) && content !== "";
      const cell = made(isHead ? "th" : "td", "", isHead ? { scope } : {});
      if (place < words) cell.classList.add("words");
      cell.append(content);
      return cell;
    }));
    return line;
  };
  const top = made("thead");
  top.append(lineOf(head, () => true, "col"));
  const body = made("tbody");
  body.append(...rows.map((cells) => lineOf(cells, (place) => place === named, "row")));
  table.replaceChildren(top, body);
}

export { Tournament };

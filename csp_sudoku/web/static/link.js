// Links to positions: the fragment of the address holds a whole position, so the server need not store it.
//
// analyse?b=3x3&g={…}&v=53..7…&i=…&s=3-5&p=2&t=12.4,30.7&m=rows&a=0.1.2_6.7.8&o=…: shape, the special parts of the
// board (blocks, regions and rules), values, initial values, scores, player to move, taboo moves, mode, and the
// allowed and the occupied cells of both players. Missing parts have their usual values.

// The fragment for a position; only `shape` and `values` must be there.
function linkTo(position) {
  const { shape, variant, values, initial, scores, player, taboo, mode, allowed, occupied } = position;
  const query = { b: shape.join("x"), v: written(values) };
  if (variant) query.g = JSON.stringify(variant);
  if (initial && written(initial) !== query.v) query.i = written(initial);
  if (scores && scores.some(Boolean)) query.s = scores.join("-");
  if (player === 2) query.p = "2";
  if (taboo?.length) query.t = taboo.map((pair) => pair.join(".")).join("-");
  if (mode && mode !== "classic") query.m = mode;
  if (mode === "random") query.a = pairWritten(allowed);
  if (occupied?.some((cells) => cells.length)) query.o = pairWritten(occupied);
  return `#analyse?${new URLSearchParams(query)}`;
}

// The position in the query of a fragment; null if it has none.
function positionIn(query) {
  if (!query.has("b") || !query.has("v")) return null;
  const found = { shape: query.get("b").split("x").map(Number), values: read(query.get("v")) };
  if (query.has("g")) found.variant = parsed(query.get("g"));
  if (query.has("i")) found.initial = read(query.get("i"));
  if (query.has("s")) found.scores = query.get("s").split("-").map(Number);
  if (query.has("p")) found.player = Number(query.get("p"));
  if (query.has("t")) found.taboo = query.get("t").split("-").map((pair) => pair.split(".").map(Number));
  if (query.has("m")) found.mode = query.get("m");
  if (query.has("a")) found.allowed = pairRead(query.get("a"));
  if (query.has("o")) found.occupied = pairRead(query.get("o"));
  return found;
}

// The parts of a position that a question needs.
function plain({ shape, variant, values, initial, scores, player, taboo, mode, allowed, occupied }) {
  return { shape, variant, values, initial, scores, player, taboo, mode, allowed, occupied };
}

// The value of a JSON text; the text itself if it is not JSON, which the server refuses.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const written = (values) => values.map((value) => (value ? value.toString(36) : ".")).join("");
const read = (text) => [...text].map((sign) => (sign === "." ? 0 : Number.parseInt(sign, 36)));
const pairWritten = (pair) => pair.map((cells) => cells.join(".")).join("_");
const pairRead = (text) => text.split("_").map((part) => (part ? part.split(".").map(Number) : []));

export { linkTo, positionIn, plain };

// Questions to the server. A question is JSON, and its answer is a stream of events: progress, and at last a result or
// an error.

class ServerError extends Error {}

// The JSON answer to a request; ServerError with the server's message if it refuses.
async function request(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ServerError("The server does not answer. Is csp-sudoku serve still running?");
  }
  const found = await answer.json();
  if (!answer.ok) throw new ServerError(found.error);
  return found;
}

const get = (path) => request("GET", path);
const post = (path, body) => request("POST", path, body);

// Ask a question whose work reports its progress. `signal` cancels the question, here and on the server. `onWaiting`
// learns, in words, what the server waits for before the time of the question begins.
async function ask(name, body, { signal, onProgress = () => {}, onWaiting = () => {} } = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError("The server does not answer. Is csp-sudoku serve still running?");
  }
  if (!answer.ok) throw new ServerError((await answer.json()).error);
  for await (const [kind, data] of eventsOf(answer.body)) {
    if (kind === "waiting") onWaiting(data.told);
    else if (kind === "progress") onProgress(data);
    else if (kind === "result") return data;
    else if (kind === "error") throw new ServerError(data.error);
  }
  throw new ServerError("The server ended without an answer.");
}

// The events of a stream, as [kind, data].
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = Object.fromEntries(block.split("\n").map((line) => {
        const place = line.indexOf(": ");
        return [line.slice(0, place), line.slice(place + 2)];
      }));
      if (lines.event) yield [lines.event, JSON.parse(lines.data)];
    }
  }
}

// A question at a time: a new one cancels the one before. `onBusy` learns whether one is under way, and may get a text
// that says what it waits for.
class Asker {
  constructor(onBusy = () => {}) {
    this.onBusy = onBusy;
    this.running = null;
  }

  // The answer; null if the question was cancelled.
  async ask(name, body, onProgress) {
    this.stop();
    const control = new AbortController();
    this.running = control;
    this.onBusy(true);
    try {
      const found = await ask(name, body, {
        signal: control.signal,
        onProgress: (data) => { if (this.running === control) onProgress?.(data); },
        onWaiting: (told) => { if (this.running === control) this.onBusy(true, told); },
      });
      return this.running === control ? found : null;
    } catch (error) {
      if (control.signal.aborted) return null;
      throw error;
    } finally {
      if (this.running === control) {
        this.running = null;
        this.onBusy(false);
      }
    }
  }

  // Cancel the question that is under way.
  stop() {
    const control = this.running;
    this.running = null;
    if (control !== null) {
      control.abort();
      this.onBusy(false);
    }
  }
}

export { get, post, request, Asker, ServerError };

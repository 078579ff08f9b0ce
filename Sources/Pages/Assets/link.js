// The connection to the station: a stream to the page, POSTs back, and the offset between the clocks.

const retryMs = 500;
const pingsAtStart = 8;
/** With a better round trip than this, the clock is known well enough to ask again only now and then. */
const goodTripMs = 6;

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

export class Link {
  // Answers and calls have ways of their own, so that none waits for what is sent beside it.
  #lanes = { answers: { queue: [] }, calls: { queue: [] }, others: { queue: [] } };
  #client = 0;
  #open = false;
  #ended = false;
  #abort;
  // The clock: pings under way (→ sent_ms), the last eight round trips, and one not yet reported.
  #pending = new Map();
  #samples = [];
  #unreported;
  #ping = 0;
  #lastOfSeries = 0;
  #reference;

  /** `on`: line(object), lost(), unanswered(message), taken() by another tab, refused() because of the token. */
  constructor(token, on, { page = "participant", hasClock = true } = {}) {
    this.on = on;
    this.page = page;
    this.hasClock = hasClock;
    this.headers = { Authorization: `Bearer ${token}` };
    this.#listen();
  }

  end() {
    this.#ended = true;
    this.#abort.abort();
  }

  /** Queues a message: answers arrive in their order, and so does the rest, each sent until it arrives. A draft replaces one that still waits. */
  post(message) {
    const lane = this.#lanes[{ answer: "answers", help: "calls", stop: "calls" }[message.kind] ?? "others"];
    lane.queue = [...lane.queue.filter(({ kind }, index) => !index || kind !== "draft" || message.kind !== "draft"), message];
    this.#drain(lane);
  }

  /** Whether an answer still waits. */
  get answering() { return this.#lanes.answers.queue.length > 0; }

  /** Sends what waits, without waiting for replies. */
  flush() {
    for (const { queue } of Object.values(this.#lanes)) queue.splice(1).forEach(message => this.#send(message));
  }

  /** Milliseconds until a time on the station's clock; `null` before the first round trip. */
  until(nanoseconds) {
    if (!this.#samples.length) return null;
    const best = this.#samples.reduce((a, b) => b.trip < a.trip ? b : a);
    return Number(BigInt(nanoseconds) - this.#reference) / 1e6 - performance.now() - best.offset;
  }

  async #listen() {
    while (!this.#ended) {
      this.#abort = new AbortController();
      const { signal } = this.#abort;
      try {
        const response = await fetch(`/${this.page}/stream`, { headers: this.headers, cache: "no-store", signal });
        if ([401, 403].includes(response.status)) return this.#refuse();
        if (response.ok) await this.#read(response.body.getReader());
      } catch {}
      if (this.#ended) return;
      this.#open = false;
      this.on.lost();
      await pause(retryMs);
    }
  }

  async #read(reader) {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      const receivedMs = performance.now();
      if (done || this.#ended) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.trim() && !this.#ended) this.#take(JSON.parse(line), receivedMs);
    }
  }

  #take(line, receivedMs) {
    if (line.kind === "clock") return this.#clocked(line, receivedMs);
    if (line.kind === "page") {
      this.#client = line.client;
      this.#open = true;
      if (this.hasClock) this.#keepTime(line.client);
    }
    try {
      this.on.line(line);
    } catch (error) {
      console.error(error); // A fault in one screen must not end the stream.
    }
    Object.values(this.#lanes).forEach(lane => this.#drain(lane));
  }

  async #drain(lane) {
    if (lane.draining) return;
    lane.draining = true;
    while (this.#open && !this.#ended && lane.queue.length) {
      const [message] = lane.queue;
      const client = this.#client;
      const status = await this.#send(message);
      const kind = Math.floor(status / 100);
      if ([401, 403].includes(status)) return this.#refuse();
      if (status === 409) {
        // After a reconnection the message goes out again in the name of the new client.
        if (this.#open && client === this.#client) return this.on.taken();
      } else if (kind === 2 || kind === 4) {
        lane.queue.shift(); // What is refused would be refused for ever, and nothing could follow it.
        if (kind === 4 && ["answer", "work"].includes(message.kind)) this.on.unanswered(message);
      } else {
        await pause(retryMs);
      }
    }
    lane.draining = false;
  }

  /** The status of the reply; 0 without one. */
  #send({ kind, ...rest }) {
    const body = JSON.stringify({ kind, client: this.#client, ...rest });
    return fetch(`/${this.page}/message`, {
      method: "POST",
      headers: { ...this.headers, "Content-Type": "application/json" },
      body,
      // A message may outlive the page, where it is short: browsers allow 64 kB to all of them.
      keepalive: body.length < 10000,
    }).then(({ status }) => status, () => 0);
  }

  #refuse() {
    this.end();
    this.on.refused();
  }

  async #keepTime(client) {
    this.#pending.clear();
    this.#samples = [];
    this.#unreported = undefined;
    this.#lastOfSeries = this.#ping + pingsAtStart;
    for (let count = 1; this.#open && !this.#ended && client === this.#client; count++) {
      const last = this.#unreported;
      this.#unreported = undefined;
      const sentMs = performance.now();
      this.#pending.set(++this.#ping, sentMs);
      this.#send({ kind: "clock", ping: this.#ping, sent_ms: sentMs, ...(last && { last }) });
      const isGood = this.#samples.some(({ trip }) => trip < goodTripMs);
      await pause(count < pingsAtStart ? 50 : isGood ? 5000 : 250);
    }
  }

  #clocked({ ping, at_ns }, receivedMs) {
    const sentMs = this.#pending.get(ping);
    if (!this.#pending.delete(ping)) return;
    const at = BigInt(at_ns);
    this.#reference ??= at;
    const offset = Number(at - this.#reference) / 1e6 - (sentMs + receivedMs) / 2;
    this.#samples = [...this.#samples, { offset, trip: receivedMs - sentMs }].slice(-8);
    const last = { ping, sent_ms: sentMs, received_ms: receivedMs };
    if (ping === this.#lastOfSeries || this.#unreported) this.#send({ kind: "clocked", last });
    else this.#unreported = last;
  }
}

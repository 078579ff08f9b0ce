// The station's clock, as the page knows it: the page asks for the time, the station answers in the stream, and of the
// last eight round trips the shortest counts. Times are milliseconds of performance.now().

const KEPT = 8;
const FIRST = 8;
const PAUSE_FIRST = 50;
const PAUSE = 5000;

export class StationClock {
  /** @param {(message: object) => void} post sends a message to the station */
  constructor(post) {
    this.post = post;
    this.trips = [];
    this.sent = new Map();
    this.last = undefined;
    this.ping = 0;
    this.timer = 0;
  }

  /** Begins anew, with a stream that has just begun. */
  start() {
    clearTimeout(this.timer);
    this.trips = [];
    this.sent.clear();
    this.last = undefined;
    this.ask(FIRST);
  }

  stop() { clearTimeout(this.timer); }

  ask(left) {
    this.ping += 1;
    const message = { kind: "clock", ping: this.ping, sent_ms: performance.now() };
    if (this.last) message.last = this.last;
    this.last = undefined;
    this.sent.set(this.ping, message.sent_ms);
    this.post(message);
    this.timer = setTimeout(() => this.ask(Math.max(0, left - 1)), left > 1 ? PAUSE_FIRST : PAUSE);
  }

  /** Takes the station's answer, which came just now. */
  take(answer, received) {
    const sent = this.sent.get(answer.ping);
    if (sent === undefined) return;
    this.sent.delete(answer.ping);
    const station = BigInt(answer.at_ns);
    this.trips = [...this.trips, { station, middle: (sent + received) / 2, width: received - sent }].slice(-KEPT);
    this.last = { ping: answer.ping, sent_ms: sent, received_ms: received };
    this.post({ kind: "clocked", last: this.last });
    this.last = undefined;
  }

  /** The milliseconds that are left until a moment of the station's clock, which is a text of nanoseconds. */
  until(deadline) {
    const best = this.trips.reduce((one, other) => (one && one.width <= other.width ? one : other), undefined);
    if (!best) return undefined;
    return Number(BigInt(deadline) - best.station) / 1e6 - (performance.now() - best.middle);
  }
}

import Quantities
import Study
import Testing

@testable import Sound

/// A server whose sink plays evenly, for a playout to ask; it is turned by hand.
struct Rehearsal {
  static let rate = 48_000
  /// When frame 0 of the stream leaves the sink.
  var origin: Int64 = 1_000_000_000
  let sinkLatency: Int64 = 30_000_000
  var playout: Playout
  var now: Moment
  /// How long the sink stands still once, beginning at a moment.
  var standstill: (from: Int64, length: Int64)?
  /// How fast the sink's clock is, in millionths, from the stimulus' moment on.
  var drift: Int64 = 0
  var alarm: Moment?
  var placed: Int?
  var cut: Int?
  var events: [PlaybackEvent] = []
  var isFinished = false
  /// How long the server takes for an answer, in nanoseconds.
  var answerTime: Int64 = 60_000
  /// Whether the server answers nothing.
  var isFrozen = false
  var isHushed = false
  /// How long the program is held up between each placing and the server's getting it, for the first ones.
  var delays: [Int64] = []
  /// How many answers to older questions come after each placing.
  var staleAnswers = 0

  init(frames: Int, scheduled: Int64, now: Int64, outputLatency: Int64 = 0, granularity: Int64 = 0) {
    let station = Playout.Station(
      rate: Self.rate, sinkLatency: sinkLatency, resolution: 20_000, granularity: granularity,
      tellsShifts: granularity == 0,
      outputLatency: outputLatency, sink: "ears")
    playout = Playout(frames: frames, at: Moment(nanoseconds: scheduled), on: station)
    self.now = Moment(nanoseconds: now)
    perform([playout.begin()])
  }

  private var stoodStill: Int64 {
    guard let standstill else { return 0 }
    return min(max(0, now.nanoseconds - standstill.from), standstill.length)
  }

  /// What the server says was played: after each cycle, that it has been played, and nothing until the next.
  private func reported(_ playing: Int64) -> Int64 {
    let cycle = playout.station.granularity
    return cycle > 0 ? (playing / cycle + 1) * cycle : playing
  }

  private var snapshot: TimingSnapshot {
    let gained = max(0, now.nanoseconds - 3_000_000_000) / 1_000_000 * drift
    let playing = reported(now.nanoseconds - origin - stoodStill + gained)
    let taken = Frames(nanoseconds: playing + sinkLatency, rate: Self.rate).count
    let latency = Frames(taken).nanoseconds(rate: Self.rate) - playing
    return TimingSnapshot(
      asked: now.nanoseconds - 30_000, stamped: now.nanoseconds + 30_000, readFrame: taken, sinkLatency: latency,
      rate: Self.rate)
  }

  mutating func perform(_ steps: [Playout.Step]) {
    for step in steps {
      switch step {
      case .ask:
        if isFrozen { return }
        now = now.advanced(by: .nanoseconds(answerTime))
        perform(playout.answered(snapshot, now: now))
      case .wait(let moment): alarm = moment
      case .place(let frame):
        placed = frame
        for _ in 0..<staleAnswers { perform(playout.answered(snapshot, now: now, isStale: true)) }
        if !delays.isEmpty { now = now.advanced(by: .nanoseconds(delays.removeFirst())) }
      case .cut(let frame, _): cut = frame
      case .fadeOut: isHushed = true
      case .report(let event): events.append(event)
      case .finish: isFinished = true
      }
    }
  }

  /// Lets time run to the next alarm.
  mutating func step() {
    guard !isFinished else { return }
    if let deadline = playout.deadline, alarm.map({ deadline < $0 }) ?? true {
      now = max(now, deadline)
      return perform(playout.deadlineCame(now: now))
    }
    guard let alarm else { return }
    self.alarm = nil
    now = max(now, alarm)
    perform(playout.timeCame(now: now))
  }

  mutating func run() {
    for _ in 0..<1000 where !isFinished { step() }
  }

  var started: MeasuredMoment? {
    for case .started(let moment) in events { return moment }
    return nil
  }

  var slips: [Duration] {
    events.compactMap { if case .disturbed(.shifted(let slip)) = $0 { slip } else { nil } }
  }

  var gaps: [Moment] {
    events.compactMap { if case .disturbed(.underrun(let moment)) = $0 { moment } else { nil } }
  }

  var ended: (moment: MeasuredMoment, frames: Int)? {
    for case .ended(let moment, let frames) in events { return (moment, frames) }
    return nil
  }
}

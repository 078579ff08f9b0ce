import Quantities

/// One answer of the server to a timing request.
///
/// The server read its sink's position some time between the request and the answer's timestamp; both bounds are kept.
struct TimingSnapshot: Hashable, Sendable {
  /// The earliest time at which the sink can play the stream's first frame, in nanoseconds of CLOCK_MONOTONIC.
  var earliest: Int64
  /// The latest such time.
  var latest: Int64
  /// The number of the stream's frames that the sink has taken.
  var readFrame: Int
  /// The delay until the frames taken last are played, in nanoseconds.
  var sinkLatency: Int64
  /// The latest time at which the server can have stamped its answer.
  var stamped: Int64

  /// Creates a snapshot from PulseAudio's measurements, with times in nanoseconds of CLOCK_MONOTONIC.
  ///
  /// - Parameters:
  ///   - asked: the earliest time at which the request can have been sent.
  ///   - stamped: the latest time at which the server can have stamped its answer.
  ///   - readFrame: the number of frames that the sink has taken.
  ///   - sinkLatency: the delay until they are played.
  ///   - rate: frames per second.
  init(asked: Int64, stamped: Int64, readFrame: Int, sinkLatency: Int64, rate: Int) {
    let age = sinkLatency - Frames(readFrame).nanoseconds(rate: rate)
    earliest = asked + age
    latest = stamped + age
    self.readFrame = readFrame
    self.sinkLatency = sinkLatency
    self.stamped = stamped
  }
}

/// The time at which a stream's first frame leaves the sink, extrapolated at an even rate; it converts frames to
/// moments.
struct StreamOrigin: Hashable, Sendable {
  /// The best estimate, in nanoseconds of CLOCK_MONOTONIC.
  var time: Int64
  /// The bound on the error, in nanoseconds, as far as the sink's clock keeps pace with ours.
  var uncertainty: Int64
  /// Whether it is the envelope of many answers, which needs no allowance for what each of them does not say.
  var isEnvelope = false
  /// The sink's last position; the uncertainty of a frame grows with its distance from it.
  var readFrame: Int

  /// The largest drift of a sink's clock in parts per million: crystals 100, PulseAudio's null sink 160.
  private static let strayMillionths: Int64 = 300

  /// The largest drift of a sink's clock within a time in nanoseconds.
  static func straying(in nanoseconds: Int64) -> Int64 { abs(nanoseconds) / 1_000_000 * strayMillionths }

  /// Creates an estimate from several snapshots within a few milliseconds: the middle of the range that all of them
  /// allow.
  ///
  /// The median of the timestamps, the usual choice, is late by the time that the server's threads take to wake each
  /// other: 20 µs on an idle machine, nothing on a busy one. If snapshots contradict each other, any may be right, so
  /// the estimate covers the union of their ranges.
  ///
  /// - Parameters:
  ///   - snapshots: at least one.
  ///   - resolution: the rounding of the server's times, in nanoseconds.
  init(_ snapshots: some Collection<TimingSnapshot>, resolution: Int64) {
    guard let earliest = snapshots.map(\.earliest).max(), let latest = snapshots.map(\.latest).min(),
      let first = snapshots.map(\.earliest).min(), let last = snapshots.map(\.latest).max(),
      let readFrame = snapshots.map(\.readFrame).max()
    else { preconditionFailure("an origin needs a snapshot") }
    let (from, to) = earliest - latest <= 2 * resolution ? (earliest, latest) : (first, last)
    time = from + (to - from) / 2
    uncertainty = abs(to - from) / 2 + resolution
    self.readFrame = readFrame
  }

  /// What an answer of PipeWire's PulseAudio server can be late itself, in nanoseconds.
  private static let answerLateness: Int64 = 500_000

  /// The answers, 3 ms apart, that lie in several cycles.
  private static let fewestAnswers = 30

  /// Creates an estimate from the answers of a server that says after each cycle how far it has got, and nothing until the
  /// next: every answer is early by what is left of its cycle, so that the latest of many is closest to the truth.
  ///
  /// - Parameters:
  ///   - snapshots: at least one; fewer than thirty may lie in one cycle and are no envelope.
  ///   - resolution: the rounding of the server's times, in nanoseconds.
  init(envelopeOf snapshots: [TimingSnapshot], resolution: Int64) {
    self.init(snapshots.suffix(1), resolution: resolution)
    let bounds = snapshots.map(\.latest).sorted(by: >)
    guard bounds.count >= Self.fewestAnswers else { return }
    // The answers lie anywhere in the cycle: the next one above the latest is as far away as they are from each other.
    let gap = (bounds[1] - bounds[bounds.count - 1]) / Int64(bounds.count)
    // A single answer far above all others was late itself.
    let isOutlier = bounds[0] - bounds[1] > 4 * gap + Self.answerLateness
    time = (isOutlier ? bounds[1] : bounds[0]) + gap / 2
    uncertainty = 4 * gap + Self.answerLateness + resolution + (isOutlier ? bounds[0] - bounds[1] : 0)
    isEnvelope = true
  }

  /// The uncertainty of a frame's time, in nanoseconds.
  func uncertainty(of frame: Int, rate: Int) -> Int64 {
    uncertainty + Self.straying(in: Frames(frame - readFrame).nanoseconds(rate: rate))
  }

  /// The longest run of latest snapshots that do not contradict each other.
  static func agreeing(_ snapshots: [TimingSnapshot], resolution: Int64) -> ArraySlice<TimingSnapshot> {
    var (earliest, latest) = (Int64.min, Int64.max)
    let start = snapshots.lastIndex { snapshot in
      earliest = max(earliest, snapshot.earliest)
      latest = min(latest, snapshot.latest)
      return earliest > latest && earliest - latest > 2 * resolution
    }
    return snapshots[(start.map { $0 + 1 } ?? 0)...]
  }

  func moment(of frame: Int, rate: Int) -> Moment {
    Moment(nanoseconds: time + Frames(frame).nanoseconds(rate: rate))
  }

  /// The frame that leaves the sink closest to a moment.
  func frame(at moment: Moment, rate: Int) -> Int {
    Frames(nanoseconds: moment.nanoseconds - time, rate: rate).count
  }
}

/// A number of frames, converted without overflow for as long as a station runs.
struct Frames: Hashable, Sendable {
  var count: Int

  init(_ count: Int) { self.count = count }

  /// Creates the number of frames closest to a duration.
  init(nanoseconds: Int64, rate: Int) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    count = Int(seconds) * rate + Int((Double(rest) * Double(rate) / 1e9).rounded())
  }

  func nanoseconds(rate: Int) -> Int64 {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
    return Int64(seconds) * 1_000_000_000 + Int64((Double(rest) * 1e9 / Double(rate)).rounded())
  }
}

import Quantities

/// One answer of the server to the question what it is playing.
///
/// The server looked at its sink some time after it was asked and before it stamped its answer; both bounds are kept.
struct TimingSnapshot: Hashable, Sendable {
  /// The sink cannot play the stream's first frame earlier than this, in nanoseconds of CLOCK_MONOTONIC.
  var earliest: Int64
  /// Nor later than this.
  var latest: Int64
  /// The frames of the stream that the sink has taken.
  var readFrame: Int
  /// How long what it took last still waits to be played, in nanoseconds.
  var sinkLatency: Int64
  /// When the server stamped its answer, or can have at the latest.
  var stamped: Int64

  /// From what PulseAudio measured, times in nanoseconds of CLOCK_MONOTONIC.
  ///
  /// - Parameters:
  ///   - asked: when the question was sent, or can have been at the earliest.
  ///   - stamped: when the server stamped its answer, or can have at the latest.
  ///   - readFrame: the frames that the sink has taken.
  ///   - sinkLatency: how long they still wait to be played.
  ///   - rate: frames a second.
  init(asked: Int64, stamped: Int64, readFrame: Int, sinkLatency: Int64, rate: Int) {
    let age = sinkLatency - Frames(readFrame).nanoseconds(rate: rate)
    earliest = asked + age
    latest = stamped + age
    self.readFrame = readFrame
    self.sinkLatency = sinkLatency
    self.stamped = stamped
  }
}

/// When the first frame of a stream leaves the sink, had it played evenly ever since: what turns frames into moments.
struct StreamOrigin: Hashable, Sendable {
  /// The best estimate, in nanoseconds of CLOCK_MONOTONIC.
  var time: Int64
  /// The truth lies within this, in nanoseconds, as far as the sink's clock keeps step with ours.
  var uncertainty: Int64
  /// The frame that the sink had taken last: of others less is known the further they are from it.
  var readFrame: Int

  /// How far a sink's clock may stray from ours: quartzes by 100 millionths, PulseAudio's null sink by 160.
  private static let strayMillionths: Int64 = 300

  /// By how much a sink's clock may stray within so many nanoseconds.
  static func straying(in nanoseconds: Int64) -> Int64 { abs(nanoseconds) / 1_000_000 * strayMillionths }

  /// From several snapshots within a few milliseconds of each other: the middle of what all of them allow.
  ///
  /// The median of the stamps, the usual choice, is late by as long as the server's threads take to wake each other:
  /// 20 µs on a machine at rest, nothing on a busy one. Of snapshots that contradict each other any may be true, so
  /// that all that any of them allows is possible.
  ///
  /// - Parameters:
  ///   - snapshots: at least one.
  ///   - resolution: what the server itself rounds to, in nanoseconds.
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

  /// What the moment of a frame is known to, in nanoseconds.
  func uncertainty(of frame: Int, rate: Int) -> Int64 {
    uncertainty + Self.straying(in: Frames(frame - readFrame).nanoseconds(rate: rate))
  }

  /// The last of these snapshots, as many as do not contradict each other.
  static func agreeing(_ snapshots: [TimingSnapshot], resolution: Int64) -> ArraySlice<TimingSnapshot> {
    var (earliest, latest) = (Int64.min, Int64.max)
    let start = snapshots.lastIndex { snapshot in
      earliest = max(earliest, snapshot.earliest)
      latest = min(latest, snapshot.latest)
      return earliest > latest && earliest - latest > 2 * resolution
    }
    return snapshots[(start.map { $0 + 1 } ?? 0)...]
  }

  /// The moment at which a frame leaves the sink.
  func moment(of frame: Int, rate: Int) -> Moment {
    Moment(nanoseconds: time + Frames(frame).nanoseconds(rate: rate))
  }

  /// The frame that leaves the sink nearest to a moment.
  func frame(at moment: Moment, rate: Int) -> Int {
    Frames(nanoseconds: moment.nanoseconds - time, rate: rate).count
  }
}

/// A number of frames, converted without overflow for as long as a station runs.
struct Frames: Hashable, Sendable {
  var count: Int

  init(_ count: Int) { self.count = count }

  /// The number nearest to a time.
  init(nanoseconds: Int64, rate: Int) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    count = Int(seconds) * rate + Int((Double(rest) * Double(rate) / 1e9).rounded())
  }

  /// How long they sound.
  func nanoseconds(rate: Int) -> Int64 {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
    return Int64(seconds) * 1_000_000_000 + Int64((Double(rest) * 1e9 / Double(rate)).rounded())
  }
}

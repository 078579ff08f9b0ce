import Basics
package import Quantities
package import Sensors

/// A measurement of a person's mean heart rate with one sensor: a machine that takes what the sensor says.
///
/// It waits for a steady signal, and then measures for a time. It gives a mean only of a time that is known for the most
/// part: where too much is missing, as after a slip of the finger, the time begins later. If there is none, it says what
/// failed.
package struct SpotMeasurement: Sendable {
  /// How long it waits for a steady signal, also for another one after the last, and after the end of a slip.
  static let patience = Duration.seconds(30)
  /// The measurement is given up after this many times its duration, slips included.
  static let tries = 4.0
  /// The share of the time for which intervals have to be known.
  static let minCoverage = 0.6
  /// The least time that is measured, where a recording ends early.
  static let minLength = Duration.seconds(8)
  /// A beat may be delivered so long after it happened.
  static let latency = Duration.seconds(4)
  /// A signal is steady after this number of intervals in a row, or of heart rates, that differ by no more than the ratio.
  static let steady = (intervals: 5, rates: 3, ratio: 1.5)
  /// A gap lasts a whole number of intervals, with a tolerance of this share of one.
  static let bridgeTolerance = 0.15
  /// A heart rate stands for this much time before it, at the most.
  static let maxHold = Duration.seconds(3)

  /// What was measured.
  package struct Mean: Hashable, Sendable {
    /// The mean heart rate in beats per minute: the beats divided by the time that they took.
    package let rate: Double
    /// When the first interval began.
    package let start: Moment
    /// When the last interval ended.
    package let end: Moment
    /// The number of intervals; `nil` for a sensor that sends heart rates only.
    package let intervals: Int?
    /// The share of the time from start to end for which intervals or heart rates are known.
    package let coverage: Double
    /// The mean quality of the signal, from 0 to 1; `nil` for a sensor that does not report it.
    package let quality: Double?
  }

  /// What it has come to.
  package enum Phase: Hashable, Sendable {
    /// No steady signal yet.
    case waiting
    /// Measuring since a moment.
    case measuring(from: Moment)
    case done(Mean)
    /// No mean, and why.
    case failed(MeasurementFailure)
  }

  /// A time of which the number of beats is known.
  private struct Piece: Sendable {
    let from: Moment
    let to: Moment
    let beats: Double

    var length: Duration { from.duration(to: to) }
    var rate: Double { beats / max(length.seconds, 0.001) }
  }

  /// How far it is.
  package private(set) var phase = Phase.waiting
  /// The latest heart rate in beats per minute; `nil` where none is known.
  package private(set) var rate: Double?
  /// Why there is no pulse at the moment.
  package private(set) var problem: SignalProblem?
  /// The latest quality of the signal, from 0 to 1.
  package private(set) var quality: Double?
  /// The device, as far as the sensor names it.
  package private(set) var device: Device?

  private let length: Duration
  private let start: Moment
  /// Since when a steady signal is waited for.
  private var waitingSince: Moment
  private var pieces: [Piece] = []
  private var hasIntervals = false
  private var lastRate: (time: Moment, rate: Double)?
  private var qualities: [(time: Moment, value: Double)] = []
  private var isConnected = false
  private var hasData = false
  private var hasRate = false
  private var isOffSkin = false

  /// Begins a measurement.
  ///
  /// - Parameters:
  ///   - length: how long is measured.
  ///   - start: the time.
  package init(for length: Duration, from start: Moment) {
    (self.length, self.start, waitingSince) = (length, start, start)
  }

  /// The share of the time that was measured, from 0 to 1.
  package var progress: Double {
    guard case .measuring(let from) = phase, let last = pieces.last else { return 0 }
    return min(1, max(0, from.duration(to: last.to) / length))
  }

  /// Takes what the sensor says.
  package mutating func take(_ event: SensorEvent, at now: Moment) {
    guard !isOver else { return }
    switch event {
    case .connected(let device): (isConnected, self.device) = (true, device ?? self.device)
    case .readings(let readings):
      hasData = true
      for reading in readings where !isOver { take(reading) }
    case .waveform: hasData = true
    case .lost(let reason): if !isConnected { phase = .failed(.lost(reason: reason)) }
    case .ended(let reason): end(reason)
    case .unreadable, .skipped, .overflowed, .clockMeasured, .noted: break
    }
    tick(at: now)
  }

  /// Takes account of the time.
  package mutating func tick(at now: Moment) {
    if case .measuring = phase { moveOn(to: now.advanced(by: .zero - Self.latency)) }
    guard !isOver else { return }
    let isTooLate = start.duration(to: now) > Self.patience + length * Self.tries
    if isTooLate || phase == .waiting && waitingSince.duration(to: now) > Self.patience { phase = .failed(reason) }
  }

  /// Leaves out the beginning while its gaps are too long for the required coverage of a whole window.
  private mutating func moveOn(to now: Moment) {
    while let first = pieces.first,
      first.from.duration(to: now) - covered - bridges.length > length * (1 - Self.minCoverage)
    {
      pieces.removeFirst()
      waitingSince = first.to
    }
    phase = pieces.first.map { .measuring(from: $0.from) } ?? .waiting
  }

  /// Whether there is a mean, or it is known that there will be none.
  package var isOver: Bool {
    switch phase {
    case .waiting, .measuring: false
    case .done, .failed: true
    }
  }

  private var reason: MeasurementFailure {
    if let problem { return .problem(problem) }
    if isOffSkin { return .noContact }
    if !isConnected { return .unanswered }
    if !hasData { return .noData }
    return hasRate ? .unsteady : .noHeartRate
  }

  private var isAway: Bool { isOffSkin || problem == .noFinger }

  private var covered: Duration { pieces.reduce(.zero) { $0 + $1.length } }

  private mutating func take(_ reading: HeartReading) {
    for sample in reading.samples where sample.type == .signalQuality {
      quality = sample.value
      qualities.append((sample.happened, sample.value))
    }
    guard reading.isOfHeart else { return }
    let wasAway = isAway
    (problem, isOffSkin) = (reading.problem, reading.contact == false)
    if wasAway, !isAway { waitingSince = max(waitingSince, reading.happened) }
    guard reading.contact != false, reading.problem == nil else {
      (rate, lastRate) = (nil, nil)
      return
    }
    if !reading.rrIntervals.isEmpty {
      if !hasIntervals { pieces = [] }
      hasIntervals = true
      var end = reading.happened
      var new: [Piece] = []
      for interval in reading.rrIntervals.reversed() {
        let from = end.advanced(by: .zero - Duration(milliseconds: interval))
        if QuantityType.rrInterval.isPlausible(interval, in: .millisecond) {
          new.append(Piece(from: from, to: end, beats: 1))
        }
        end = from
      }
      for piece in new.reversed() { add(piece) }
    }
    if let rate = reading.heartRate, QuantityType.heartRate.isPlausible(rate, in: .countPerMinute) {
      self.rate = rate
      if !hasIntervals, let last = lastRate, case let held = last.time.duration(to: reading.happened), held > .zero {
        let from = reading.happened.advanced(by: .zero - min(held, Self.maxHold))
        add(Piece(from: from, to: reading.happened, beats: rate / 60 * min(held, Self.maxHold).seconds))
      }
      lastRate = (reading.happened, rate)
    } else if let last = pieces.last {
      rate = last.rate * 60
    }
  }

  private mutating func add(_ piece: Piece) {
    pieces.append(piece)
    hasRate = true
    switch phase {
    case .waiting:
      let latest = pieces.suffix(hasIntervals ? Self.steady.intervals : Self.steady.rates)
      guard latest.count == (hasIntervals ? Self.steady.intervals : Self.steady.rates),
        zip(latest, latest.dropFirst()).allSatisfy({ $0.to.duration(to: $1.from) < .milliseconds(200) }),
        let slowest = latest.map(\.rate).min(), let fastest = latest.map(\.rate).max(),
        fastest <= Self.steady.ratio * slowest, let first = latest.first
      else { return }
      pieces = Array(latest)
      phase = .measuring(from: first.from)
    case .measuring:
      moveOn(to: piece.to)
      guard let from = pieces.first?.from, from.duration(to: piece.to) >= length, let mean = mean(from: from) else {
        return
      }
      phase = .done(mean)
    case .done, .failed: break
    }
  }

  /// A recording is over, or the sensor gone: what was measured counts if it is enough.
  private mutating func end(_ reason: String) {
    if case .measuring(let from) = phase, covered >= Self.minLength, let mean = mean(from: from) {
      phase = .done(mean)
    } else {
      let known = self.reason
      phase = .failed(hasData && known != .unsteady ? known : .ended(reason: reason))
    }
  }

  /// The times between intervals that are as long as one, two or three intervals: so many beats were missed there, and are
  /// counted.
  private var bridges: (beats: Double, length: Duration) {
    guard hasIntervals, !pieces.isEmpty else { return (0, .zero) }
    let usual = pieces.map(\.length).sorted()[pieces.count / 2]
    return zip(pieces, pieces.dropFirst()).reduce(into: (0, .zero)) { sum, pair in
      let gap = pair.0.to.duration(to: pair.1.from)
      let beats = (gap / usual).rounded()
      guard (1...3).contains(beats), abs(gap / usual / beats - 1) < Self.bridgeTolerance else { return }
      sum = (sum.0 + beats, sum.1 + gap)
    }
  }

  /// The mean of what was measured; `nil` if too little is known.
  private func mean(from: Moment) -> Mean? {
    guard let last = pieces.last, case let whole = from.duration(to: last.to), whole > .zero else { return nil }
    let coverage = min(1, covered / whole)
    let bridged = bridges
    guard (covered + bridged.length) / whole >= Self.minCoverage else { return nil }
    let values = qualities.filter { $0.time >= from }.map(\.value)
    return Mean(
      rate: 60 * (pieces.reduce(0) { $0 + $1.beats } + bridged.beats) / (covered + bridged.length).seconds, start: from,
      end: last.to,
      intervals: hasIntervals ? pieces.count : nil, coverage: coverage,
      quality: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count))
  }
}

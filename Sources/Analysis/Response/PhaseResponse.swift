/// A measure at rest, during an event and after it: resting level, reactivity and recovery.
///
/// The three levels are those of the vagal tank theory (Laborde, Mosley and Mertgen, Frontiers in Neuroscience 12:458,
/// 2018); that each change is the later less the earlier is the station's choice.
public struct PhaseResponse: Hashable, Sendable {
  /// The measure at rest; its window is on the axis of the windows that were asked for.
  public let rest: Measurement

  /// The measure during the event.
  public let event: Measurement

  /// The measure after the event.
  public let after: Measurement

  /// The window asked for at rest, and how much of it is known.
  public let restCoverage: Coverage

  /// That of the event.
  public let eventCoverage: Coverage

  /// That after the event.
  public let afterCoverage: Coverage

  /// What a reader should know before comparing the three; sentences.
  public let warnings: [String]

  /// A window that was asked for, and how much of it was recorded.
  public struct Coverage: Hashable, Sendable {
    /// The window, in seconds, on the axis that it was asked for on.
    public let window: ClosedRange<Double>
    /// The share of the window that intervals, or a sensor's rates, cover, from 0 to 1.
    public let share: Double

    /// A window, and how much of it was recorded.
    public init(window: ClosedRange<Double>, share: Double) {
      self.window = window
      self.share = share
    }

    /// The window that a measurement was made in, where none was asked for.
    fileprivate init(of measurement: Measurement) {
      let duration = measurement.window.upperBound - measurement.window.lowerBound
      self.init(window: measurement.window, known: measurement.knownSeconds, of: duration)
    }

    fileprivate init(window: ClosedRange<Double>, known: Double, of duration: Double) {
      self.init(window: window, share: duration <= 0 ? 0 : known >= duration ? 1 : known / duration)
    }
  }

  /// The measure in three windows of a series; an interval belongs to a window that it lies in wholly.
  ///
  /// - Parameters:
  ///   - measure: what is measured.
  ///   - series: the intervals, corrected or as they are; the share of artefacts is that of each window.
  ///   - preset: the choices of the definition.
  ///   - rest: the window at rest, in seconds on the series' axis.
  ///   - event: the window of the event.
  ///   - after: the window after it.
  ///   - latency: how late the sensor's times are, in seconds; it is taken off them.
  ///   - leastCoverage: the least share of a window that must be known for it to have a number.
  public init(
    _ measure: Measure, of series: CorrectedSeries, preset: AnalysisPreset = .station, rest: ClosedRange<Double>,
    event: ClosedRange<Double>, after: ClosedRange<Double>, latency: Double = 0, leastCoverage: Double = 0.5
  ) {
    self.init(rest: rest, event: event, after: after, latency: latency, leastCoverage: leastCoverage) { from, to in
      let part = series.cut(from: from, to: to)
      let known = part.corrected.intervals.reduce(0, +) / 1000
      return (HeartAnalysis(part, preset: preset).measurement(measure), known)
    }
  }

  /// The measure in three windows of a sensor's heart rates; a rate belongs to the window in which it was true.
  ///
  /// - Parameters:
  ///   - measure: what is measured; only heart rates have numbers.
  ///   - rates: the sensor's rates.
  ///   - preset: the choices, of which none concerns heart rates.
  ///   - rest: the window at rest, in seconds on the rates' axis.
  ///   - event: the window of the event.
  ///   - after: the window after it.
  ///   - latency: how late the sensor's times are, in seconds; it is taken off them.
  ///   - leastCoverage: the least share of a window that must be known for it to have a number.
  public init(
    _ measure: Measure, of rates: HeartRateTrack, preset: AnalysisPreset = .station, rest: ClosedRange<Double>,
    event: ClosedRange<Double>, after: ClosedRange<Double>, latency: Double = 0, leastCoverage: Double = 0.5
  ) {
    self.init(rest: rest, event: event, after: after, latency: latency, leastCoverage: leastCoverage) { from, to in
      let part = rates.cut(from: from, to: to)
      let known = part.spans.reduce(0) { $0 + $1.end - $1.start }
      return (HeartAnalysis(rates: part, preset: preset).measurement(measure), known)
    }
  }

  private init(
    rest: ClosedRange<Double>, event: ClosedRange<Double>, after: ClosedRange<Double>, latency: Double,
    leastCoverage: Double, measured: (_ from: Double, _ to: Double) -> (Measurement, known: Double)
  ) {
    func phase(_ window: ClosedRange<Double>) -> (Measurement, Coverage) {
      var (measurement, known) = measured(window.lowerBound + latency, window.upperBound + latency)
      let duration = window.upperBound - window.lowerBound
      let coverage = Coverage(window: window, known: known, of: duration)
      let share = coverage.share
      measurement.window = measurement.window.lowerBound - latency...measurement.window.upperBound - latency
      let text =
        "\(Int((share * 100).rounded())) % of the window from \(HeartAnalysis.shown(window.lowerBound)) to "
        + "\(HeartAnalysis.shown(window.upperBound)) s is known"
      if measurement.value != nil, share < leastCoverage {
        measurement.outcome = .missing("\(text), which is too little to measure.")
      } else if measurement.value != nil, share < 0.9 {
        measurement.warnings.append("\(text).")
      }
      return (measurement, coverage)
    }
    let phases = (rest: phase(rest), event: phase(event), after: phase(after))
    self.init(
      rest: phases.rest.0, event: phases.event.0, after: phases.after.0, restCoverage: phases.rest.1,
      eventCoverage: phases.event.1, afterCoverage: phases.after.1)
  }

  /// Measurements of one measure that were made in three windows.
  ///
  /// - Parameters:
  ///   - rest: the measure at rest.
  ///   - event: the measure during the event.
  ///   - after: the measure after it.
  ///   - restCoverage: the window asked for at rest; `nil` for that of the measurement.
  ///   - eventCoverage: the window of the event.
  ///   - afterCoverage: the window after it.
  public init(
    rest: Measurement, event: Measurement, after: Measurement, restCoverage: Coverage? = nil,
    eventCoverage: Coverage? = nil, afterCoverage: Coverage? = nil
  ) {
    self.rest = rest
    self.event = event
    self.after = after
    self.restCoverage = restCoverage ?? Coverage(of: rest)
    self.eventCoverage = eventCoverage ?? Coverage(of: event)
    self.afterCoverage = afterCoverage ?? Coverage(of: after)
    warnings = Self.unlikeWindows([("rest", rest), ("the event", event), ("the time after", after)])
  }

  /// The unit of the measure and of its differences, as UCUM writes it.
  public var unit: String { rest.unit }

  /// Event less rest; `nil` where either has no number.
  public var reactivity: Double? { difference(event, rest) }

  /// After less event; `nil` where either has no number.
  public var recovery: Double? { difference(after, event) }

  /// After less rest, which is what has not yet gone back; `nil` where either has no number.
  public var remainder: Double? { difference(after, rest) }

  private func difference(_ one: Measurement, _ other: Measurement) -> Double? {
    guard let minuend = one.value, let subtrahend = other.value else { return nil }
    return minuend - subtrahend
  }

  /// What to know where one measure, which depends on how long is measured, was measured in named windows; sentences.
  public static func unlikeWindows(_ phases: [(name: String, measurement: Measurement)]) -> [String] {
    let known = phases.filter { $0.measurement.value != nil }
    guard known.count > 1, let measure = known.first?.measurement.measure, measure.dependsOnDuration else { return [] }
    let seconds = known.map(\.measurement.knownSeconds)
    guard let least = seconds.min(), let most = seconds.max(), most > 1.1 * least else { return [] }
    let parts = known.map { "\(HeartAnalysis.shown($0.measurement.knownSeconds)) s of \($0.name)" }
    return [
      "\(measure.title) depends on how long is measured, and the windows differ: \(parts.joined(separator: ", "))."
    ]
  }
}

extension Measure {
  /// Whether a longer window of the same kind of beats is expected to give another number.
  fileprivate var dependsOnDuration: Bool {
    switch self {
    case .sdnn, .sd2, .sampleEntropy, .vlf, .lf, .hf, .lfToHF, .lfNormalised, .hfNormalised: true
    default: false
    }
  }
}

/// A measure at rest, during an event and after it: resting level, reactivity and recovery.
///
/// These are the three Rs of Laborde, Mosley and Thayer (2017).
public struct PhaseResponse: Hashable, Sendable {
  /// The measure at rest.
  public let rest: Measurement

  /// The measure during the event.
  public let event: Measurement

  /// The measure after the event.
  public let after: Measurement

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
  public init(
    _ measure: Measure, of series: CorrectedSeries, preset: AnalysisPreset = .station, rest: ClosedRange<Double>,
    event: ClosedRange<Double>, after: ClosedRange<Double>, latency: Double = 0
  ) {
    func measured(_ window: ClosedRange<Double>) -> Measurement {
      let part = series.cut(from: window.lowerBound + latency, to: window.upperBound + latency)
      return HeartAnalysis(part, preset: preset).measurement(measure)
    }
    self.rest = measured(rest)
    self.event = measured(event)
    self.after = measured(after)
  }

  /// Measurements of one measure in the three windows.
  public init(rest: Measurement, event: Measurement, after: Measurement) {
    self.rest = rest
    self.event = event
    self.after = after
  }

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
}

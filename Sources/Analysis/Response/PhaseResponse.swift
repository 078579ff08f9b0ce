/// A measure at rest, during an event and after it: resting level, reactivity and recovery.
///
/// The three levels are those of the vagal tank theory (Laborde, Mosley and Mertgen, Frontiers in Neuroscience 12:458,
/// 2018); computing each change as the later level minus the earlier one is the station's choice.
package struct PhaseResponse: Hashable, Sendable {
  /// The measure at rest.
  package let rest: Measurement

  /// The measure during the event.
  package let event: Measurement

  /// The measure after the event.
  package let after: Measurement

  /// The caveats on comparing the three.
  package let caveats: [AnalysisCaveat]

  /// Combines measurements of one measure in three windows.
  ///
  /// - Parameters:
  ///   - rest: the measure at rest.
  ///   - event: the measure during the event.
  ///   - after: the measure after it.
  init(rest: Measurement, event: Measurement, after: Measurement) {
    self.rest = rest
    self.event = event
    self.after = after
    caveats = Self.unlikeWindows([("rest", rest), ("the event", event), ("the time after", after)])
  }

  /// The unit of the measure and of its differences, as UCUM writes it.
  var unit: String { rest.unit }

  /// Event minus rest; `nil` if either has no number.
  package var reactivity: Double? { difference(event, rest) }

  /// After minus event; `nil` if either has no number.
  package var recovery: Double? { difference(after, event) }

  /// After minus rest, the part that has not yet recovered; `nil` if either has no number.
  var remainder: Double? { difference(after, rest) }

  private func difference(_ one: Measurement, _ other: Measurement) -> Double? {
    guard let minuend = one.value, let subtrahend = other.value else { return nil }
    return minuend - subtrahend
  }

  /// The caveats on comparing measurements of one measure in several windows.
  ///
  /// - Parameter windows: the measurements, with the names of their windows for a sentence.
  /// - Returns: a caveat if the measure depends on duration and the covered durations differ by more than a tenth.
  static func unlikeWindows(_ windows: [(name: String, measurement: Measurement)]) -> [AnalysisCaveat] {
    let known = windows.filter { $0.measurement.value != nil }
    guard known.count > 1, let measure = known.first?.measurement.measure, measure.dependsOnDuration else { return [] }
    let seconds = known.map(\.measurement.knownSeconds)
    guard let least = seconds.min(), let most = seconds.max(), most > 1.1 * least else { return [] }
    return [
      .unlikeWindows(
        measure: measure, windows: known.map { .init($0.name, seconds: $0.measurement.knownSeconds) })
    ]
  }
}

extension Measure {
  /// Whether a longer window of the same kind of beats is expected to give another number.
  ///
  /// The extreme of more beats is more extreme, a count of more differences is larger, and slow changes increase SDNN.
  var dependsOnDuration: Bool {
    switch self {
    case .minimumHeartRate, .maximumHeartRate, .nn50, .sdnn, .sd2, .sampleEntropy, .vlf, .lf, .hf, .lfToHF,
      .lfNormalised, .hfNormalised:
      true
    default: false
    }
  }
}

/// The comparison of a number with its baseline.
package enum BaselineChange: String, CaseIterable, Hashable, Sendable {
  /// The number minus its baseline, in the number's unit.
  case difference
  /// The difference relative to the baseline, in percent.
  case percent

  /// The change; `nil` for a percentage of zero.
  func change(of value: Double, from baseline: Double) -> Double? {
    switch self {
    case .difference: value - baseline
    case .percent: baseline == 0 ? nil : 100 * (value - baseline) / baseline
    }
  }

  /// The unit of a change of numbers in `unit`, both as UCUM writes them.
  func unit(of unit: String) -> String { self == .percent ? "%" : unit }
}

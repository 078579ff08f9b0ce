import Recordings

extension HeartAnalysis {
  /// Creates the analysis of a sensor's own heart rates, for a recording without intervals between beats.
  ///
  /// Only heart rate measures have numbers; for every other measure the reason is that it needs intervals. Each rate
  /// counts once, except in the time-weighted mean, where it counts by the duration of its span.
  ///
  /// - Parameters:
  ///   - rates: the sensor's rates; `cut(from:to:)` returns those of a window.
  ///   - preset: the choices; none of them concerns heart rates, but its name is reported with the numbers.
  init(rates: HeartRateTrack, preset: AnalysisPreset = .station) {
    self.init(IntervalSeries([]), rates: rates, preset: preset, artefactShare: 0, correction: "none")
  }

  /// Computes one measure of a sensor's rates.
  func measurement(_ measure: Measure, of track: HeartRateTrack) -> Measurement {
    let spans = measure == .lastHeartRate ? track.spans.suffix(1) : track.spans[...]
    let isRate = measure.domain == .heartRate
    let outcome: Measurement.Outcome =
      if spans.isEmpty {
        .missing(.noRates)
      } else if !isRate {
        .missing(.needsIntervals(measure: measure))
      } else if let number = Self.value(measure, of: track), number.isFinite {
        .value(number)
      } else {
        .missing(.overflow)
      }
    let (start, end) = (spans.first?.start ?? 0, spans.last?.end ?? 0)
    return Measurement(
      measure: measure, outcome: outcome, unit: unit(measure),
      definition: isRate ? Self.definition(ofRate: measure) : definition(measure),
      parameters: measure == .timeWeightedHeartRate ? track.pace.map(Self.parameters) ?? [] : [],
      preset: preset.name, correction: correction, window: start...end, knownSeconds: Self.known(spans),
      beatsUsed: isRate ? spans.reduce(0) { $0 + $1.count } : 0, artefactShare: artefactShare,
      caveats: isRate ? Self.caveats(spans) : [])
  }

  private static func value(_ measure: Measure, of track: HeartRateTrack) -> Double? {
    let spans = track.spans
    return switch measure {
    case .meanHeartRate:
      // Each rate counts once, even if several share a time.
      spans.allSatisfy { $0.count == 1 }
        ? mean(spans.map(\.rate))
        : spans.reduce(0) { $0 + $1.rate * Double($1.count) } / Double(spans.reduce(0) { $0 + $1.count })
    case .timeWeightedHeartRate: track.spans.last.flatMap { track.mean(from: track.spans[0].start, to: $0.end).rate }
    case .minimumHeartRate: spans.lazy.map(\.range.lowerBound).min()
    case .maximumHeartRate: spans.lazy.map(\.range.upperBound).max()
    default: spans.last?.rate
    }
  }

  private static func definition(ofRate measure: Measure) -> String {
    switch measure {
    case .meanHeartRate: "mean of the sensor's heart rates"
    case .timeWeightedHeartRate: "mean of the sensor's heart rates over the time that each stands for"
    case .minimumHeartRate: "lowest of the sensor's heart rates"
    case .maximumHeartRate: "highest of the sensor's heart rates"
    default: "last of the sensor's heart rates"
    }
  }

  private static func parameters(_ pace: HeartRateTrack.Pace) -> [Measurement.Parameter] {
    [
      Measurement.Parameter(
        name: "a rate stands for", value: "the time since the one before it, at most \(shown(pace.longest)) s"),
      Measurement.Parameter(
        name: "the first rate, and one after a gap, stands for", value: "\(shown(pace.step)) s, the median step"),
    ]
  }

  private static func caveats(_ spans: ArraySlice<HeartRateTrack.Span>) -> [AnalysisCaveat] {
    guard let first = spans.first, let last = spans.last else { return [] }
    let gaps = zip(spans, spans.dropFirst()).count { $1.start > $0.end }
    return gaps == 0
      ? [] : [.gapsInWindow(count: gaps, known_s: known(spans), whole_s: last.end - first.start, differences: nil)]
  }

  private static func known(_ spans: ArraySlice<HeartRateTrack.Span>) -> Double {
    spans.reduce(0) { $0 + $1.end - $1.start }
  }
}

/// A requested window, and the fraction of it that data cover.
///
/// One rule holds for every number of a window, a bin or a baseline: below `minimum` there is no number, and below nine
/// tenths the number has a caveat. The limits are the station's.
package struct Coverage: Hashable, Sendable {
  /// The minimum coverage for a number.
  static let minimum = 0.5

  /// The coverage below which a number has a caveat.
  static let ample = 0.9

  /// The window in seconds, on the recording's axis.
  let window: ClosedRange<Double>

  /// The fraction of the window that intervals, or a sensor's rates, cover, from 0 to 1.
  package let share: Double

  /// The duration of the window, in seconds.
  package var seconds: Double { window.upperBound - window.lowerBound }

  /// Whether the coverage suffices for a number.
  var suffices: Bool { share >= Self.minimum }
}

extension Measurement {
  /// The same measurement for a requested window: without a number if the coverage is too small.
  func covering(_ coverage: Coverage) -> Measurement {
    var covered = self
    covered.coverage = coverage
    guard value != nil else { return covered }
    let (share, from, to) = (coverage.share, coverage.window.lowerBound, coverage.window.upperBound)
    if !coverage.suffices {
      covered.outcome = .missing(.partlyKnown(share: share, from_s: from, to_s: to))
      covered.caveats = []
    } else if coverage.share < Coverage.ample {
      covered.caveats.append(.partlyKnown(share: share, from_s: from, to_s: to))
    }
    return covered
  }
}

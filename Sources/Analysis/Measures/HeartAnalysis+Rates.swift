extension HeartAnalysis {
  /// The analysis of a sensor's own heart rates, for a recording without intervals between beats.
  ///
  /// Heart rates have numbers; every other measure says that it needs intervals. Each rate counts once, apart from the
  /// time-weighted mean, where it counts for as long as it stands.
  ///
  /// - Parameters:
  ///   - rates: the sensor's rates; `cut(from:to:)` gives those of a window.
  ///   - preset: the choices; none of them concerns heart rates, and its name stands beside the numbers all the same.
  public init(rates: HeartRateTrack, preset: AnalysisPreset = .station) {
    self.init(IntervalSeries([]), rates: rates, preset: preset, artefactShare: 0, correction: "none")
  }

  /// One measure of a sensor's rates.
  func measurement(_ measure: Measure, of track: HeartRateTrack) -> Measurement {
    let spans = measure == .lastHeartRate ? track.spans.suffix(1) : track.spans[...]
    let isRate = measure.domain == .heartRate
    let outcome: Measurement.Outcome =
      if spans.isEmpty {
        .missing("There is no heart rate in this window.")
      } else if !isRate {
        .missing("\(measure.title) needs the intervals between beats, and the sensor gave heart rates only.")
      } else if let number = Self.value(measure, of: track), number.isFinite {
        .value(number)
      } else {
        .missing("The heart rates are so high that the number is beyond what a computer holds.")
      }
    let (start, end) = (spans.first?.start ?? 0, spans.last?.end ?? 0)
    let weighting = measure == .timeWeightedHeartRate ? track.longest : nil
    return Measurement(
      measure: measure, outcome: outcome, unit: unit(measure),
      definition: isRate ? Self.definition(ofRate: measure) : definition(measure),
      parameters: weighting.map {
        [Measurement.Parameter(name: "a rate stands for", value: "the time since the one before it, at most \($0) s")]
      } ?? [],
      preset: preset.name, correction: correction, window: start...end, knownSeconds: Self.known(spans),
      beatsUsed: isRate ? spans.count : 0, artefactShare: artefactShare,
      warnings: isRate ? Self.warnings(spans) : [])
  }

  private static func value(_ measure: Measure, of track: HeartRateTrack) -> Double? {
    let rates = track.spans.map(\.rate)
    return switch measure {
    case .meanHeartRate: mean(rates)
    case .timeWeightedHeartRate: track.spans.last.flatMap { track.mean(from: track.spans[0].start, to: $0.end).rate }
    case .minimumHeartRate: rates.min()
    case .maximumHeartRate: rates.max()
    default: rates.last
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

  private static func warnings(_ spans: ArraySlice<HeartRateTrack.Span>) -> [String] {
    guard let first = spans.first, let last = spans.last else { return [] }
    let gaps = zip(spans, spans.dropFirst()).count { $1.start > $0.end }
    return gaps == 0 ? [] : [Self.gapWarning(gaps, known: known(spans), of: last.end - first.start)]
  }

  private static func known(_ spans: ArraySlice<HeartRateTrack.Span>) -> Double {
    spans.reduce(0) { $0 + $1.end - $1.start }
  }

  /// How much of a window is known where there are gaps, in a sentence.
  static func gapWarning(_ gaps: Int, known: Double, of whole: Double, with detail: String = "") -> String {
    "\(subject(gaps)); \(shown(known)) of \(shown(whole)) s are known\(detail)."
  }

  /// That there are gaps, as a sentence begins.
  static func subject(_ gaps: Int) -> String { gaps == 1 ? "There is a gap" : "There are \(gaps) gaps" }
}

import Basics

/// Why a number or a window is missing.
///
/// A new reason is a case here, and its words below.
package indirect enum MissingNumber: Hashable, Sendable, TaggedInJSON {
  /// The name of the member that holds a reason's code.
  package static var jsonTag: String { "reason" }

  // MARK: The window

  case nothingRecorded
  /// Nothing was recorded before the event.
  case nothingBefore(event: String)
  /// Nothing was recorded after the event.
  case nothingAfter(event: String)
  /// The onset of the stimulus was not measured.
  case noOnset
  /// The trial has no clip; the step is its longest.
  case noSound(step: String)
  /// The stimulus was not measured from its onset to its offset.
  case noStimulus
  /// The end of the event is not known.
  case noEnd(event: String)
  /// A file from outside a trial has no stimulus.
  case noTrial
  /// The trial has none of these events.
  case noEvent(events: [String], steps: [String])
  /// A file from outside a trial has no steps.
  case noSteps
  /// The trial did not come to a step; with the steps it came to.
  case noStep(step: String, steps: [String])
  /// A step had no duration.
  case emptyStep(step: String)
  /// There is no onset from which to count seconds.
  case noZero(because: MissingNumber)

  // MARK: The data

  /// There is no interval in the window.
  case noIntervals
  /// There is no heart rate in the window.
  case noRates
  /// The measure needs intervals, and the sensor sent heart rates only.
  case needsIntervals(measure: Measure)
  /// Too little of the window is covered; from 0 to 1.
  case partlyKnown(share: Double, from_s: Double, to_s: Double)
  /// Too little of the baseline is covered; from 0 to 1.
  case baselinePartlyKnown(share: Double)
  /// No heart rate is known around the onset.
  case noRatesAroundOnset
  /// The number is too large for a computer's numbers.
  case overflow

  // MARK: The measure

  /// A spread of a single interval.
  case oneInterval
  /// A spread of a single difference.
  case oneDifference
  /// No two intervals follow each other.
  case noDifferences
  /// Sample entropy needs two runs of so many intervals.
  case fewRuns(length: Int)
  /// No two runs of so many intervals are alike within a tolerance.
  case noSimilarRuns(length: Int, tolerance_ms: Double)
  /// The intervals do not vary.
  case constantIntervals
  /// The scales of a fluctuation analysis need more than this number of intervals without a gap; `nil` for an unknown
  /// number.
  case fewForScales(limit: Int?, intervals: Int)
  /// The stretch without a gap is longer than a spectrum is computed for.
  case tooLongForSpectrum(limit_h: Double)
  /// The stretch without a gap is too short for a spectrum.
  case fewForSpectrum
  /// No frequency of the spectrum is in the band.
  case noFrequencyInBand

  // MARK: The comparison

  /// The baseline is zero, so that there is no percent change from it.
  case zeroBaseline
  case ofBaseline(missing: MissingNumber)
  /// The part of the session with the step of the baseline has the verdict bad.
  case badBaseline(step: String)
  /// The step of the baseline cannot be read as the trials are.
  case unreadBaseline(step: String, because: String)
  /// A file from outside a trial has no participant.
  case noParticipant
}

extension MissingNumber: CustomStringConvertible {
  package var description: String { wording.description }

  /// The sentence, with its numbers apart.
  var wording: Wording {
    switch self {
    case .nothingRecorded: "Nothing was recorded."
    case .nothingBefore(let event): "Nothing was recorded before \(event)."
    case .nothingAfter(let event): "Nothing was recorded after \(event)."
    case .noOnset: "No onset was measured."
    case .noSound(let step): "The trial plays no clip; --event stimulus,step:\(step) measures its step “\(step)”."
    case .noStimulus: "No sound was measured from its onset to its offset."
    case .noEnd(let event): "The end of \(event) is not known."
    case .noTrial: "A file from outside a trial has no stimulus; use --event to give the time of one."
    case .noEvent(let events, let steps):
      "The trial has no event \(events.joined(separator: ", "))\(Self.known("; its steps are", steps))."
    case .noSteps: "A file from outside a trial has no steps."
    case .noStep(let step, let steps):
      "The trial did not come to a step “\(step)”\(Self.known("; it has", steps))."
    case .emptyStep(let step): "The step “\(step)” had no duration."
    case .noZero(let reason):
      "\(reason.wording) Seconds are counted from an onset; --event 0 counts them from the trial's zero."
    case .noIntervals: "There is no interval between beats in this window."
    case .noRates: "There is no heart rate in this window."
    case .needsIntervals(let measure):
      "\(measure.title) needs the intervals between beats, and the sensor sent heart rates only."
    case .partlyKnown(let share, let from, let to):
      "\(AnalysisCaveat.known(share, from, to)), which is too little to measure."
    case .baselinePartlyKnown(let share):
      "The heart rate is known for \(share * 100, fixed: 0) % of the baseline, which is too little for a comparison."
    case .noRatesAroundOnset: "The heart rate is not known around this onset."
    case .overflow: "The number is too large to be represented."
    case .oneInterval: "At least two intervals are needed, and there is one."
    case .oneDifference: "At least two differences between intervals are needed, and there is one."
    case .noDifferences: "No two intervals follow one another in this window."
    case .fewRuns(let length):
      "Sample entropy compares runs of \("\(length)") intervals, and there are fewer than two."
    case .noSimilarRuns(let length, let tolerance):
      "No two runs of \("\(length)") intervals are alike within \(tolerance, shown) ms."
    case .constantIntervals: "The intervals do not vary."
    case .fewForScales(let limit, let intervals):
      "\(limit.map { "More than \($0)" } ?? "More") intervals without a gap are needed, and there are \(intervals)."
    case .tooLongForSpectrum(let limit):
      "The intervals without a gap last longer than \(shown(limit)) hours, the limit for a spectrum of this preset."
    case .fewForSpectrum: "There are too few intervals without a gap for a spectrum."
    case .noFrequencyInBand: "The window is so short that no frequency of its spectrum is in the band."
    case .zeroBaseline: "The baseline is zero, so that there is no percent change."
    case .ofBaseline(let reason): "Baseline: \(reason.wording)"
    case .badBaseline(let step):
      "Baseline: the part of the session with the step “\(step)” is left out, because its verdict is bad."
    case .unreadBaseline(let step, let reason): "Baseline: the step “\(step)” cannot be read: \(reason)."
    case .noParticipant: "A file from outside a trial has no participant."
    }
  }

  private static func known(_ lead: String, _ steps: [String]) -> String {
    steps.isEmpty ? "" : "\(lead) \(steps.map { "“\($0)”" }.joined(separator: ", "))"
  }
}

package import Analysis
import Recordings

/// The responses to the stimuli of several trials, gathered to be averaged and drawn.
package struct TrialResponses: Sendable {
  /// The trials put together; bad and stopped ones stay out.
  package private(set) var together: TrialsTogether

  /// The trials that have no response, are bad or were stopped, by their path, with the reason.
  package private(set) var leftOut: [(path: String, reason: String)] = []

  /// How many trials are averaged.
  package var count: Int { together.counts.used }

  /// What sounded in the trials that are averaged.
  private(set) var sounded = Sounded()

  /// No responses yet.
  ///
  /// - Parameters:
  ///   - settings: how responses are read off heart rates.
  ///   - grouping: what the trials are grouped by; `nil` averages all of them.
  ///   - omissions: which trials stay out; none where a trial is shown by itself.
  package init(
    _ settings: ResponseSettings, by grouping: TrialGrouping? = nil,
    leavingOut omissions: Set<TrialOmission> = TrialOmission.usual
  ) {
    self.settings = settings
    together = TrialsTogether(TrialAnalysis(response: settings), by: grouping, leavingOut: omissions)
  }

  /// How responses are read off heart rates.
  package let settings: ResponseSettings

  /// How long the longest sound of the trials that are averaged lasts, in seconds; 0 where no end was measured.
  package var longestSound: Double { sounded.longest }

  /// What the trials are grouped by; `nil` for one group of all.
  package var grouping: TrialGrouping? { together.grouping }

  /// Reads off and takes the response to a trial's event, of each of its sensors.
  package mutating func add(_ analysed: AnalysedRecording...) {
    guard let first = analysed.first?.recording else { return }
    let place = TrialPlace(path: first.path)
    let responses = analysed.map { one in
      TrialResponse(of: one.recording, at: place, one.response(settings), one.settings.correction)
    }
    add(responses, of: first)
  }

  /// Takes a trial's responses, which were read off before.
  ///
  /// - Parameters:
  ///   - responses: the response of each of its sensors, with the settings of all.
  ///   - recording: what one of them recorded, for what sounded meanwhile.
  package mutating func add(_ responses: [TrialResponse], of recording: Recording) {
    var outcome = TrialOutcome(place: TrialPlace(path: recording.path), trial: recording.trial)
    outcome.responses = responses
    let before = count
    together.take(outcome)
    if let omission = together.omission(of: recording.trial) {
      return leftOut.append((recording.path, omission.reason))
    }
    guard count > before else {
      let reasons = responses.compactMap(\.reason)
      return leftOut.append((recording.path, reasons.first ?? "There is no response."))
    }
    sounded.take(recording)
  }
}

/// What sounded in several trials, in seconds from each one's onset.
struct Sounded: Sendable {
  /// The stretches of the shortest; pauses part them.
  private(set) var shortest: [ClosedRange<Double>] = []
  /// Whether all began and ended alike, to half a second.
  private(set) var areAlike = true
  /// In how many trials the sound was paused.
  private(set) var paused = 0
  private var labels: Set<String> = []

  /// How long the longest of them lasts, in seconds; 0 where no end was measured.
  private(set) var longest = 0.0

  /// Takes what sounded in a trial, or the event that was chosen instead.
  mutating func take(_ recording: Recording) {
    guard let event = recording.event else { return }
    switch event.source {
    case .stimulus: labels.insert(recording.trial?.clip ?? "stimulus")
    case .step(let name): labels.insert(name)
    case .seconds: labels.insert("event")
    }
    guard let window = event.window else { return }
    longest = max(longest, window.upperBound - window.lowerBound)
    var stretches = [0...(window.upperBound - window.lowerBound)]
    if event.source == .stimulus, let sounds = recording.trial?.sounds, sounds.count > 1 {
      paused += 1
      stretches = sounds.compactMap { sound in
        sound.offset.flatMap { $0 >= sound.onset ? sound.onset - event.onset...$0 - event.onset : nil }
      }
    }
    guard let end = stretches.last?.upperBound else { return }
    guard let least = shortest.last?.upperBound else {
      shortest = stretches
      return
    }
    let ends = zip(shortest, stretches).flatMap { [$0.lowerBound - $1.lowerBound, $0.upperBound - $1.upperBound] }
    if shortest.count != stretches.count || ends.contains(where: { $0.magnitude >= 0.5 }) { areAlike = false }
    if end < least { shortest = stretches }
  }

  /// What is marked: the stretches where all are alike, else from the onset to the end of the shortest; only the onset
  /// where no end was measured.
  var marks: [StimulusMark] {
    let name = labels.count == 1 ? labels.first ?? "stimulus" : "stimulus"
    guard let end = shortest.last?.upperBound else { return [StimulusMark(onset: 0, offset: nil, label: name)] }
    guard areAlike else {
      return [StimulusMark(onset: 0, offset: end, label: labels.count == 1 ? name : "shortest stimulus")]
    }
    return shortest.map { StimulusMark(onset: $0.lowerBound, offset: $0.upperBound, label: name) }
  }

  /// That some pauses are not marked; `nil` where all are.
  var remark: String? { areAlike || paused == 0 ? nil : "the sound was paused in \(paused)" }
}

import Analysis
import Basics
import Recordings

/// Which heart data of bundles and files a command uses, and how they are read and analysed.
struct RecordingOptions: Sendable {
  static let options: [Option] = [
    .init("sensor", value: "NAME", "only this sensor's data, if there are several sensors"),
    .init("recorder", value: "NAME", "only this recorder's data (default: all recorders of a sensor)"), .window,
    .init(
      "event", value: "LIST", repeats: true,
      "the event to lock windows and responses to, the first that a recording has: stimulus (default), step:NAME, "
        + "or SECONDS or FROM:TO on its time axis; separated by commas"),
    .init(
      "artefacts", value: "METHOD",
      "lipponen-tarvainen (default), none, range (range:300-2000, which leaves out intervals beyond these limits in ms) "
        + "or range:300-2000,20% (also those further from the median of their neighbours)"), .corrections, .preset,
    .init("interval-unit", value: "ms|s", "the unit of intervals in texts and tables (default: ms)"),
    .init("time-unit", value: "s|ms|us|ns", "the unit of times in tables (default: s)"),
    .init(
      "sampling-rate", value: "HZ", "beats and intervals of texts and tables are numbers of samples, so many a second"),
  ]

  /// The options for beats that are found in waveforms.
  static let detection: [Option] = [
    .init(
      "detect",
      "find the beats in the electrocardiogram or pulse wave of a bundle, or of an EDF, BDF or WFDB file (FILE.hea), "
        + "instead of reading recorded ones"),
    .init("channel", value: "NAME", "the channel of the waveform for --detect (default: the first with heartbeats)"),
  ]

  let choice: RecordingChoice
  /// The window; `nil` if none was requested.
  let window: AnalysisWindow?
  /// The correction of artefacts, and the choices within measures.
  let settings: AnalysisSettings

  init(_ arguments: Arguments) throws(UsageError) {
    window = try arguments.window("window")
    let events = try arguments.events("event")
    settings = AnalysisSettings(
      preset: try arguments.choice("preset", among: AnalysisPreset.named.map { ($0.name, $0) }) ?? .station,
      correction: try arguments.value("artefacts", among: ArtefactCorrection.words, ArtefactCorrection.init)
        ?? .lipponenTarvainen)
    choice = RecordingChoice(
      sensor: arguments["sensor"], recorder: arguments["recorder"], events: events,
      reading: ReadingOptions(
        intervalUnit: try arguments.choice(
          "interval-unit", among: ReadingOptions.TimeUnit.ofIntervals.map { ($0.rawValue, $0) }),
        timeUnit: try arguments.choice("time-unit", ReadingOptions.TimeUnit.self),
        samplingRate: try arguments.number("sampling-rate", 1...1_000_000, "samples a second"),
        grouping: arguments.has("recorder") ? .recorder : .sensor,
        detection: arguments.has("detect") ? ReadingOptions.Detection(channel: arguments["channel"]) : nil,
        corrections: try arguments.correctionChoice()))
    if arguments.has("sampling-rate"), arguments.has("interval-unit") {
      throw arguments.refusal("--sampling-rate and --interval-unit cannot be combined")
    }
    if arguments.has("channel"), !arguments.has("detect") { throw arguments.refusal("--channel needs --detect") }
  }
}

extension Option {
  /// The part of a recording that is measured or drawn.
  static let window = Option(
    "window", value: "WINDOW",
    "stimulus, preStimulus, postStimulus, whole, step:NAME, or FROM:TO in seconds from the onset (from the start of "
      + "a file without one); default: stimulus for measures of trials, whole for charts")

  /// The choices within the definitions of measures.
  static let preset = Option(
    "preset", value: "NAME", choices: AnalysisPreset.named.map(\.name),
    "the choices within definitions: "
      + AnalysisPreset.named.map { $0.name + ($0 == .station ? " (default)" : "") }.joined(separator: ", "))
}

extension Arguments {
  /// The events that an option names; the stimulus if it was not given.
  fileprivate func events(_ option: String) throws(UsageError) -> [EventSource] {
    var events: [EventSource] = []
    for text in all(option).flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }).map(String.init) {
      try refuseFar(text, option)
      guard let event = EventSource(text) else {
        throw refusal("\(Self.impossible(text, option)); \(Spelling.advice(for: text, among: EventSource.words))")
      }
      if !events.contains(event) { events.append(event) }
    }
    return events.isEmpty ? [.stimulus] : events
  }

  /// The window that an option names, and for the advice the further words that it allows.
  func window(_ option: String, besides others: [String] = []) throws(UsageError) -> AnalysisWindow? {
    if let text = self[option] { try refuseFar(text, option) }
    return try value(option, among: others + AnalysisWindow.words, AnalysisWindow.init)
  }

  /// Rejects seconds too far from zero to be intended.
  private func refuseFar(_ text: String, _ option: String) throws(UsageError) {
    let numbers = text.split(separator: ":").map { Double($0) }
    guard numbers.allSatisfy({ $0 != nil }), numbers.contains(where: { ($0?.magnitude ?? 0) > AnalysisWindow.furthest })
    else { return }
    throw invalid(text, option, "more than 30 years away; expected seconds such as -10:30, not milliseconds")
  }
}

import Analysis
import Basics
import Recordings

/// Which heart data of bundles and files a command is about, how they are read, and how they are analysed.
struct RecordingOptions: Sendable {
  /// The options that say it.
  static let options: [CommandSyntax.Option] = [
    .init("sensor", value: "NAME", "only what this sensor gave, where there are several"),
    .init("recorder", value: "NAME", "only what this recorder has; otherwise all that a sensor's recorders have"),
    window,
    .init(
      "event", value: "LIST", repeats: true,
      "what windows and responses are locked to, the first that a recording has: stimulus unless it is given, step:NAME, "
        + "or SECONDS or FROM:TO on its own axis; with commas between them"),
    .init(
      "artefacts", value: "METHOD",
      "lipponen-tarvainen unless it is given; range:300-2000, which is range, or range:300-2000,20%, to leave out what is "
        + "beyond these milliseconds, or further from the median of those around; none"),
    preset,
    .init("interval-unit", value: "ms|s", "the unit of intervals in texts and tables; ms unless it is given"),
    .init("time-unit", value: "s|ms|us|ns", "the unit of times in tables; s unless it is given"),
  ]

  /// The option that chooses what of a recording is measured or drawn.
  static let window = CommandSyntax.Option(
    "window", value: "WINDOW",
    "stimulus, preStimulus, postStimulus, whole, step:NAME, or FROM:TO in seconds from the onset, or from the beginning "
      + "of a file without one; unless it is given, a trial is measured in its stimulus, and drawn whole")

  /// The option that chooses among definitions.
  static let preset = CommandSyntax.Option(
    "preset", value: "NAME", choices: AnalysisPreset.named.map(\.name),
    "choices within definitions: "
      + AnalysisPreset.named.map { $0.name + ($0 == .station ? " unless it is given" : "") }.joined(separator: ", "))

  /// The sensor's name; `nil` for all.
  let sensor: String?
  /// The recorder's identifier; `nil` for what all recorders of a sensor have together.
  let recorder: String?
  /// The part that counts; `nil` where none was asked for.
  let window: AnalysisWindow?
  /// What windows and responses are locked to.
  let events: [EventSource]
  /// What files do not say themselves.
  let reading: ReadingOptions
  /// What is done about artefacts, and the choices of measures.
  let settings: AnalysisSettings

  init(_ arguments: Arguments) throws(UsageError) {
    sensor = arguments["sensor"]
    recorder = arguments["recorder"]
    window = try arguments.window("window")
    events = try arguments.events("event")
    settings = AnalysisSettings(
      preset: try arguments.choice("preset", among: AnalysisPreset.named.map { ($0.name, $0) }) ?? .station,
      correction: try arguments.value("artefacts", among: ArtefactCorrection.words, ArtefactCorrection.init)
        ?? .lipponenTarvainen)
    reading = ReadingOptions(
      intervalUnit: try arguments.choice(
        "interval-unit", among: ReadingOptions.TimeUnit.ofIntervals.map { ($0.rawValue, $0) }),
      timeUnit: try arguments.choice("time-unit", ReadingOptions.TimeUnit.self),
      grouping: recorder == nil ? .sensor : .recorder)
  }

  /// The recordings of a bundle or file that are asked for, one at least.
  ///
  /// - Throws: ``Failure`` where it has no such sensor or recorder, and what keeps it from being read.
  func recordings(of path: String) throws -> [Recording] {
    try chosen(from: try Recording.read(path: path, reading), of: path)
  }

  /// Those of a path's recordings that are asked for, locked to what was chosen.
  ///
  /// - Throws: ``Failure`` where it has no such sensor or recorder.
  func chosen(from recordings: [Recording], of path: String) throws(Failure) -> [Recording] {
    try Self.chosen(sensor, "sensor", from: try Self.chosen(recorder, "recorder", from: recordings, path), path)
      .map { $0.locked(to: events) }
  }

  private static func chosen(
    _ name: String?, _ noun: String, from recordings: [Recording], _ path: String
  ) throws(Failure) -> [Recording] {
    guard let name else { return recordings }
    func called(_ recording: Recording) -> String? { noun == "sensor" ? recording.sensorName : recording.recorder }
    let chosen = recordings.filter { called($0) == name }
    guard chosen.isEmpty else { return chosen }
    let names = recordings.compactMap(called)
    let advice =
      recordings.allSatisfy(\.isEmpty)
      ? "it has no heart data" : names.isEmpty ? "it names none" : Spelling.advice(for: name, among: names)
    throw Failure("“\(path.visible)” has no \(noun) “\(name)”; \(advice)")
  }
}

extension Recording {
  /// What a person calls the sensor, also one whose name is not known.
  var sensorName: String { heart.sensor ?? "unnamed" }
}

extension TrialGrouping {
  /// The option by which trials are put together.
  static let option = CommandSyntax.Option(
    "by", value: "KEY", choices: allCases.map(\.rawValue),
    "what trials are grouped by: \(allCases.map(\.rawValue).joined(separator: ", "))")

  /// What the option says; `nil` when it was not given.
  static func chosen(_ arguments: Arguments) throws(UsageError) -> TrialGrouping? {
    try arguments.choice("by", TrialGrouping.self)
  }
}

extension Arguments {
  /// What an option says that windows and responses are locked to; the stimulus when it was not given.
  ///
  /// - Throws: ``UsageError`` for what is no event.
  func events(_ option: String) throws(UsageError) -> [EventSource] {
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

  /// The window that an option says; `nil` when it was not given.
  ///
  /// - Parameters:
  ///   - option: the option's name.
  ///   - others: words that it takes besides, for the advice.
  /// - Returns: the window.
  /// - Throws: ``UsageError`` for what is none.
  func window(_ option: String, besides others: [String] = []) throws(UsageError) -> AnalysisWindow? {
    if let text = self[option] { try refuseFar(text, option) }
    return try value(option, among: others + AnalysisWindow.words, AnalysisWindow.init)
  }

  /// Refuses seconds further from zero than any that are meant.
  private func refuseFar(_ text: String, _ option: String) throws(UsageError) {
    let numbers = text.split(separator: ":").map { Double($0) }
    guard numbers.allSatisfy({ $0 != nil }), numbers.contains(where: { ($0?.magnitude ?? 0) > AnalysisWindow.furthest })
    else { return }
    throw refusal(
      "\(Self.impossible(text, option)): more than thirty years away; expected seconds such as -10:30, not milliseconds"
    )
  }

  /// What an option's text says; `nil` when it was not given.
  ///
  /// - Parameters:
  ///   - option: the option's name.
  ///   - words: the forms that it takes, for the advice.
  ///   - read: reads the text; `nil` where it says nothing.
  /// - Returns: what was read.
  /// - Throws: ``UsageError`` for what says nothing.
  fileprivate func value<Value>(
    _ option: String, among words: [String], _ read: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = self[option] else { return nil }
    guard let value = read(text) else {
      throw refusal("\(Self.impossible(text, option)); \(Spelling.advice(for: text, among: words))")
    }
    return value
  }
}

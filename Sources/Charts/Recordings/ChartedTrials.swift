package import Analysis
import Basics
import Bundles
import Recordings

/// The data of a chart: bundles, all bundles of results folders, and other files with heart data.
package struct ChartedTrials: Sendable {
  /// The bundles, folders of bundles and files, as the user gave them.
  private let paths: [String]
  /// Which of their heart data to use.
  private let choice: RecordingChoice
  /// How artefacts are corrected.
  private let settings: AnalysisSettings
  /// The window that is drawn; `nil` for the whole recordings.
  package let window: AnalysisWindow?
  /// Which of several trials to use.
  package let selection: TrialSelection
  /// Reports a problem or a caveat.
  private let report: @Sendable (String) -> Void

  /// Names trials and files.
  ///
  /// - Parameters:
  ///   - paths: the bundles, folders of bundles and files.
  ///   - choice: which of their heart data to use.
  ///   - settings: how artefacts are corrected.
  ///   - window: the window that is drawn; `nil` for the whole recordings.
  ///   - selection: which of several trials to use.
  ///   - report: reports a problem or a caveat.
  package init(
    _ paths: [String], _ choice: RecordingChoice, _ settings: AnalysisSettings, window: AnalysisWindow?,
    selection: TrialSelection, report: @escaping @Sendable (String) -> Void
  ) {
    (self.paths, self.choice, self.settings, self.window) = (paths, choice, settings, window)
    (self.selection, self.report) = (selection, report)
  }

  /// The charts of the only bundle or file.
  ///
  /// - Parameter kind: the chart's name.
  /// - Returns: its charts.
  /// - Throws: read errors; `ChartedTrialsError` if a folder has no bundle, or several.
  package func only(_ kind: String) throws -> RecordingCharts {
    let paths = try some(of: named())
    guard paths.count == 1 else { throw ChartedTrialsError.several(self.paths[0], kind: kind) }
    return try charts(of: paths[0])
  }

  /// The chart of what one recorder of the only bundle recorded: a waveform, or another quantity than the heart's.
  ///
  /// - Parameter kind: the chart's name.
  /// - Returns: the chart of its window, or of the whole recording if no window was requested.
  /// - Throws: read errors; `ChartedTrialsError` if there is no such recording, or several.
  package func channel(_ kind: String) throws -> LineChart {
    let paths = try some(of: named())
    guard paths.count == 1 else { throw ChartedTrialsError.several(self.paths[0], kind: kind) }
    let path = paths[0]
    let channels = try choice.channels(of: path)
    let allWaveforms = try WaveformRecording.all(path: path)
    let waveforms = choice.chosen(from: allWaveforms)
    guard channels.count + waveforms.count == 1 else {
      let known =
        try ChannelRecording.read(path: path, by: .recorder).map(\.series.recorder) + allWaveforms.map(\.recorder)
      throw channels.isEmpty && waveforms.isEmpty
        ? ChartedTrialsError.noChannel(path, known) : ChartedTrialsError.severalRecorders(path, known)
    }
    if let waveform = waveforms.first { return try .waveform(waveform, window: try bounds(in: path, waveform.place)) }
    return .channel(channels[0], window: try bounds(in: path, channels[0].place))
  }

  /// The bounds of the requested window; `nil` for the whole recording.
  private func bounds(
    in path: String, _ place: (AnalysisWindow) -> PlacedWindow
  ) throws(ChartedTrialsError) -> ClosedRange<Double>? {
    guard let window, window != .whole else { return nil }
    let placed = place(window)
    guard let bounds = placed.bounds else {
      throw .missingWindow(path, window, reason: "\(placed.missing ?? .nothingRecorded)")
    }
    return bounds
  }

  private func some(of paths: [String]) throws -> [String] {
    guard paths.isEmpty else { return paths }
    throw ChartedTrialsError.noBundle(self.paths[0])
  }

  /// The paths of all named bundles and files, in the given order.
  private func named() throws(RecordingError) -> [String] {
    var all: [String] = []
    for path in paths { all += try TrialPaths.expand(path) }
    return all
  }

  /// The selected trials and files, each once.
  ///
  /// Unreadable files and duplicates are reported; the steps around the trials of sessions are left out.
  ///
  /// - Returns: their paths, whether all could be read, and whether any has a place in a design.
  /// - Throws: `ChartedTrialsError` or `NoTrialChosen` if nothing is left.
  package func chosen() throws -> (paths: [String], isWhole: Bool, hasDesign: Bool) {
    let order = TrialChronology(try named().map { TrialChronology.Entry(reading: $0) }, selection: selection)
    for one in order.problems + order.notes { report(one) }
    try order.requireChosen()
    guard !order.places.isEmpty || order.problems.isEmpty else { throw ChartedTrialsError.noneLeft }
    // What lies around trials is no trial, and is drawn where nothing else was named.
    let trials = order.places.filter { !$0.isAround }
    return (try some(of: (trials.isEmpty ? order.places : trials).map(\.path)), order.problems.isEmpty, order.hasDesign)
  }

  /// Reads several files and processes each; unreadable files and files without the window are reported and skipped.
  ///
  /// - Returns: whether all could be read.
  package func each<Read>(_ paths: [String], read: (String) throws -> Read, take: (Read) -> Void) -> Bool {
    var isWhole = true
    for path in paths {
      do {
        take(try read(path))
      } catch {
        report("\(error)")
        if case ChartedTrialsError.missingWindow = error { continue }
        isWhole = false
      }
    }
    return isWhole
  }

  /// The recording of a file or of a bundle's only sensor, with artefacts corrected; its caveats are printed.
  func analysed(_ path: String) throws -> AnalysedRecording {
    let recording = try recording(of: path)
    for caveat in recording.caveats { report("“\(path.visible)”: \(caveat)") }
    return AnalysedRecording(recording, settings)
  }

  /// What responds in a file or a bundle: the heart of its only sensor, or the chosen recorder's other quantity.
  package enum Respondent: Sendable {
    /// A heart, with artefacts corrected.
    case heart(AnalysedRecording)
    /// Other quantities.
    case channels([ChannelRecording])

    /// Whether there is an event that a response could be locked to.
    package var hasEvent: Bool {
      switch self {
      case .heart(let analysed): analysed.recording.event != nil
      case .channels(let channels): channels.contains { $0.event != nil }
      }
    }
  }

  /// What responds in a file or a bundle.
  package func respondent(_ path: String) throws -> Respondent {
    let (_, channels) = try choice.oneKind(of: path)
    return channels.isEmpty ? .heart(try analysed(path)) : .channels(channels)
  }

  /// The charts of its window, or of the whole recording if no window was requested.
  package func charts(of path: String) throws -> RecordingCharts {
    let charts = RecordingCharts(try analysed(path))
    let recording = charts.recording
    guard let window = window, window != .whole else { return charts }
    let placed = recording.place(window)
    guard let bounds = placed.bounds else {
      let reason = "\(placed.missing ?? .nothingRecorded)"
      throw ChartedTrialsError.missingWindow(path, window, reason: reason)
    }
    if let caveat = placed.caveat { report("“\(path.visible)”: \(caveat)") }
    return charts.cut(from: bounds.lowerBound, to: bounds.upperBound)
  }

  private func recording(of path: String) throws -> Recording {
    let recordings = try choice.recordings(of: path)
    guard recordings.count == 1 else {
      throw ChartedTrialsError.severalSensors(path, recordings.map(\.sensorName))
    }
    return recordings[0]
  }

  /// The duration of the longest stimulus of the trials, in seconds; 0 if there is none.
  package func longestSound(of paths: [String], by grouping: TrialGrouping?) throws -> Double {
    var longest = 0.0
    // Only trials have a stimulus.
    for path in paths {
      guard Folder.isFolder(path), case let trial = TrialFacts(try Bundle(path).record),
        TrialOmission.of(trial, by: grouping, among: selection.omissions) == nil,
        let event = trial.event(choice.events)?.window
      else { continue }
      longest = max(longest, event.upperBound - event.lowerBound)
    }
    return longest
  }
}

/// The error for trials of which there is no chart.
enum ChartedTrialsError: Misuse, Hashable, CustomStringConvertible {
  /// A chart of one bundle was requested of a folder with several.
  case several(String, kind: String)
  /// A folder has no bundle.
  case noBundle(String)
  /// No trial could be read.
  case noneLeft
  /// A recording has heart data from several sensors.
  case severalSensors(String, [String])
  /// A bundle has no chosen recording of another quantity than the heart's; with its recorders of others.
  case noChannel(String, [String])
  /// A bundle has several of them.
  case severalRecorders(String, [String])
  /// A recording does not have the requested window.
  case missingWindow(String, AnalysisWindow, reason: String)

  /// The reason, and what to do.
  var description: String {
    switch self {
    case .several(let path, let kind):
      "“\(kind)” shows one bundle, but “\(path)” has several; “station list” lists them"
    case .noBundle(let path):
      "there is no bundle in “\(path)”; “station run” writes bundles, “station list” lists them"
    case .noneLeft: "no trial or file is left to draw"
    case .severalSensors(let path, let names):
      "“\(path.visible)” has heart data from \(names.count) sensors; choose one with --sensor: \(Spelling.list(names))"
    case .noChannel(let path, let known):
      known.isEmpty
        ? "“\(path.visible)” has no recording of another quantity than the heart's; draw its heart rate instead"
        : "“\(path.visible)” has no such recording; choose one with --recorder: \(Spelling.list(known))"
    case .severalRecorders(let path, let names):
      "“\(path.visible)” has recordings of \(names.count) recorders; choose one with --recorder: \(Spelling.list(names))"
    case .missingWindow(let path, let window, let reason): "“\(path.visible)” has no window “\(window)”: \(reason)"
    }
  }

  /// Whether a chart of one bundle was requested of several.
  var isMisuse: Bool { if case .several = self { true } else { false } }
}

extension TrialGrouping {
  /// The plural of the grouping's name.
  private var plural: String {
    switch self {
    case .clip: "Clips"
    case .mood: "Moods"
    case .condition: "Conditions"
    case .group: "Groups"
    case .participant: "Participants"
    case .session: "Sessions"
    case .verdict: "Verdicts"
    case .outcome: "Outcomes"
    }
  }

  /// The number of trials in each group, largest first; verdicts and outcomes keep their own order.
  package func pie(of trials: [TrialFacts]) -> PieChart {
    let counts = Dictionary(grouping: trials, by: { key(of: $0) ?? Self.noKey }).mapValues(\.count)
    let own: [String] =
      switch self {
      case .verdict: ["good", "suspect", "bad"]
      case .outcome: ["completed", "stopped", "failed", "recovered"]
      default: []
      }
    func rank(_ key: String) -> Int { own.firstIndex(of: key) ?? own.count }
    let order = counts.sorted { one, other in
      let (left, right) = (rank(one.key), rank(other.key))
      return left != right ? left < right : one.value != other.value ? one.value > other.value : one.key < other.key
    }
    // At most as many segments as there are colours.
    let most = PieChart.maxColours
    var segments = order.prefix(order.count > most ? most - 1 : most).map {
      PieChart.Segment($0.key, Double($0.value), note: "\($0.value)")
    }
    let others = order.dropFirst(segments.count)
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + $1.value }
      segments.append(PieChart.Segment("\(others.count) others", Double(count), note: "\(count)"))
    }
    return PieChart(
      Heading(
        title: "\(plural) of \(trials.count.counted("trial"))", noDataText: "No trials",
        isSimulated: trials.contains { $0.simulation.isSimulated }),
      segments: segments, centreTitle: "\(trials.count)", centreText: trials.count == 1 ? "trial" : "trials")
  }
}

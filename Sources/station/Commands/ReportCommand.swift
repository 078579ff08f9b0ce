import Analysis
import Basics
import Recordings
import Reports

/// `station report BUNDLE|SESSION|RESULTS|FILE`: a report on a trial, a session, all results or a file of heart data, as
/// HTML and PDF.
struct ReportCommand: Command {
  static let syntax = CommandSyntax(
    "report", operands: "BUNDLE|SESSION|RESULTS|FILE", count: 1...1,
    "makes a self-contained HTML page of a trial, a session, a results folder or a file of heart data",
    options: [TrialGrouping.option] + TrialOptions.options + ReportOutput.options + [
      SampleSelection.zoneOption, StoreLocation.trialsOption,
    ] + RecordingOptions.options
      + ResponseOptions.options)

  private let path: String
  private let selection: TrialSelection
  private let output: ReportOutput
  private let recorded: RecordingOptions
  private let response: ResponseOptions
  private let settings: ReportSettings
  private let zone: TimeZone
  /// The given options that apply only to files, since bundles store these units.
  private let ofFiles: [String]

  init(_ arguments: Arguments) throws {
    path = try arguments.trialOperands()[0]
    selection = try TrialOptions.selection(arguments)
    output = try ReportOutput(arguments)
    recorded = try RecordingOptions(arguments)
    response = try ResponseOptions(arguments)
    let options = RecordingOptions.options + ResponseOptions.options
    settings = ReportSettings(
      analysis: recorded.settings, window: recorded.window, baseline: response.baselineOfMeasures,
      change: response.change, response: try response.usual(over: -10...30),
      by: try TrialGrouping.chosen(arguments),
      words: options.flatMap { option in arguments.all(option.name).map { ReportWord(option.name, $0) } })
    ofFiles = ["interval-unit", "time-unit", "sampling-rate"].filter { arguments.has($0) }
    zone = try arguments.zone()
  }

  func run() async throws -> ExitStatus {
    let subject: ReportSubject
    do {
      subject = try ReportSubject(path, selection)
    } catch let error as ReportSubjectError {
      if case .notSelectable = error { throw Self.refusal("\(error)") }
      throw error
    }
    try refuseIdle(subject)
    // Check before reading, which may take a while.
    let files = try output.files(named: subject.fileName)
    let (report, problems) = try subject.report(
      recorded.choice, settings, local: zone, station: Version.current)
    try await output.write(report, to: files)
    for problem in problems { Console.standard.report(problem) }
    return problems.isEmpty ? .done : .failed
  }

  /// Rejects options that would have no effect, since the user expects them to have one.
  private func refuseIdle(_ subject: ReportSubject) throws(UsageError) {
    switch subject {
    case .file:
      if settings.grouping != nil { throw Self.refusal("--by groups trials; name a results folder") }
      return
    case .trial, .results:
      guard let option = ofFiles.first else { break }
      throw Self.refusal("--\(option) applies only to files of intervals; bundles store their units")
    }
    guard case .results = subject else {
      if settings.grouping != nil { throw Self.refusal("--by groups trials; name a results folder") }
      // For a single trial, only the response is compared with the baseline.
      _ = try response.settings(over: response.range ?? -10...30)
      return
    }
    let window = recorded.window ?? .stimulus
    if response.baseline == window {
      throw Self.refusal(
        "--baseline \(window) is the measured window\(recorded.window == nil ? ", unless --window is given" : ""); "
          + "choose another baseline")
    }
  }
}

import Analysis
import Basics
import Recordings
import Reports

/// `station report BUNDLE|RESULTS|FILE`: what there is to tell of a trial, a session, all results or a file of heart data, as
/// a page and as a PDF.
struct ReportCommand: Command {
  static let syntax = CommandSyntax(
    "report", operands: "BUNDLE|RESULTS|FILE", count: 1...1,
    "makes a page of a trial, of a results folder, or of a file of heart data, that opens anywhere",
    options: TrialOptions.options + ReportOutput.options + [SampleSelection.zoneOption] + RecordingOptions.options
      + ResponseOptions.options)

  private let path: String
  private let selection: TrialSelection
  private let output: ReportOutput
  private let recorded: RecordingOptions
  private let response: ResponseOptions
  private let settings: ReportSettings
  private let zone: TimeZone
  /// The options that concern a file that does not say it itself, and no bundle.
  private let ofFiles: [String]

  init(_ arguments: Arguments) throws {
    path = try arguments.trialOperands()[0]
    selection = try TrialOptions.selection(arguments)
    output = try ReportOutput(arguments, Self.syntax)
    recorded = try RecordingOptions(arguments)
    response = try ResponseOptions(arguments)
    let options = RecordingOptions.options + ResponseOptions.options
    settings = ReportSettings(
      analysis: recorded.settings, window: recorded.window, baseline: response.baselineOfMeasures,
      change: response.change, response: try response.usual(over: -10...30),
      words: options.flatMap { option in arguments.all(option.name).map { ReportWord(option.name, $0) } })
    ofFiles = ["interval-unit", "time-unit"].filter { arguments.has($0) }
    zone = try SampleSelection.zone(arguments, Self.syntax)
  }

  func run() async throws -> ExitStatus {
    let subject = try ReportSubject(path, selection, Self.syntax)
    try refuseIdle(subject)
    // Before anything is read, which may take a while.
    let files = try output.files(named: subject.fileName)
    let (report, problems) = try subject.report(recorded, settings, local: zone)
    try output.write(report, to: files)
    for problem in problems { Console.standard.complain(problem) }
    return problems.isEmpty ? .done : .failed
  }

  /// Refuses what would change nothing, so that nobody takes an answer for another.
  private func refuseIdle(_ subject: ReportSubject) throws(UsageError) {
    func refusal(_ reason: String) -> UsageError { UsageError(command: Self.syntax, reason: reason) }
    switch subject {
    case .file: return
    case .trial, .results:
      guard let option = ofFiles.first else { break }
      throw refusal("--\(option) is for a file of intervals, and bundles say it themselves")
    }
    guard case .results = subject else {
      // Of one trial the response alone is compared with it.
      _ = try response.settings(over: response.range ?? -10...30)
      return
    }
    let window = recorded.window ?? .stimulus
    if response.baseline == window {
      throw refusal(
        "--baseline \(window) is the window that is measured\(recorded.window == nil ? " unless --window says another" : ""), "
          + "which differs in nothing")
    }
  }
}

import Recordings
import Reports
import Times

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
  private let settings: ReportSettings
  private let zone: TimeZone
  /// The options that concern one recording and no results folder.
  private let ofRecordings: [String]

  init(_ arguments: Arguments) throws {
    path = arguments.operands[0]
    selection = try TrialOptions.selection(arguments)
    output = try ReportOutput(arguments, Self.syntax)
    recorded = try RecordingOptions(arguments)
    let response = try ResponseOptions(arguments)
    let options = RecordingOptions.options + ResponseOptions.options
    settings = ReportSettings(
      analysis: recorded.settings, window: recorded.window,
      response: try response.settings(over: response.range ?? -10...30),
      words: options.flatMap { option in arguments.all(option.name).flatMap { ["--\(option.name)", $0] } })
    ofRecordings = options.map(\.name).filter { arguments.has($0) }
    zone = try SampleSelection.zone(arguments, Self.syntax)
  }

  func run() async throws -> ExitStatus {
    let subject = try ReportSubject(path, selection, Self.syntax)
    if case .results = subject, let option = ofRecordings.first {
      throw UsageError(
        command: Self.syntax,
        reason: "--\(option) is for the report of a trial or a file, and “\(path)” is a results folder")
    }
    // Before anything is read, which may take a while.
    let files = try output.files(named: subject.fileName)
    let (report, problems) = try subject.report(recorded, settings, local: zone)
    try output.write(report, to: files)
    for problem in problems { Console.standard.complain(problem) }
    return problems.isEmpty ? .done : .failed
  }
}

import Analysis
import Basics
import Bundles
import Charts
import Recordings
import Reports

extension Command {
  /// A report on a trial, a session, all results or a file of heart data, as HTML and PDF.
  static let report = Command(
    "report", operands: "BUNDLE|SESSION|RESULTS|FILE",
    "makes a self-contained HTML page of a trial, a session, a results folder or a file of heart data",
    options: [.by] + TrialSelection.options + ReportOutput.options + [.timeZone, .resultsOfTrials]
      + RecordingOptions.options + ResponseOptions.options
  ) { arguments in
    let path = try arguments.trialOperands()[0]
    let selection = try TrialSelection(arguments)
    let output = try ReportOutput(arguments)
    let recorded = try RecordingOptions(arguments)
    let response = try ResponseOptions(arguments)
    let options = RecordingOptions.options + ResponseOptions.options
    let settings = ReportSettings(
      analysis: recorded.settings, window: recorded.window, baseline: response.baselineOfMeasures,
      change: response.change, response: try response.usual(over: -10...30),
      by: try arguments.choice("by", TrialGrouping.self),
      words: options.flatMap { option in arguments.all(option.name).map { ReportWord(option.name, $0) } })
    let zone = try arguments.zone()
    let subject: ReportSubject
    do {
      subject = try ReportSubject(path, selection)
    } catch let error as ReportSubjectError {
      if case .notSelectable = error { throw arguments.refusal("\(error)") }
      throw error
    }
    try refuseIdle(arguments, subject, recorded, response)
    // Check before reading, which may take a while.
    let files = try output.files(named: subject.fileName)
    let (report, problems) = try subject.report(recorded.choice, settings, local: zone, station: Version.current)
    try await output.write(report, to: files)
    for problem in problems { Console.standard.report(problem) }
    return problems.isEmpty ? .done : .failed
  }

  /// Rejects options that would have no effect, since the user expects them to have one.
  private static func refuseIdle(
    _ arguments: Arguments, _ subject: ReportSubject, _ recorded: RecordingOptions, _ response: ResponseOptions
  ) throws(UsageError) {
    var isFile = false
    if case .file = subject { isFile = true }
    if !isFile, let option = ["interval-unit", "time-unit", "sampling-rate"].first(where: arguments.has) {
      throw arguments.refusal("--\(option) applies only to files of intervals; bundles store their units")
    }
    guard case .results = subject else {
      if arguments.has("by") { throw arguments.refusal("--by groups trials; name a results folder") }
      // For a single trial, only the response is compared with the baseline.
      if !isFile { _ = try response.settings(over: response.range ?? -10...30) }
      return
    }
    let window = recorded.window ?? .stimulus
    if response.baseline == window {
      throw arguments.refusal(
        "--baseline \(window) is the measured window\(recorded.window == nil ? ", unless --window is given" : ""); "
          + "choose another baseline")
    }
  }
}

/// Where a report goes: as HTML, as PDF, or both, to files or standard output.
private struct ReportOutput {
  static let options: [Option] = [
    .init(
      "output", value: "FILE.html",
      "write HTML; - prints it (default: report-….html here, unless --pdf is given)"),
    .init("pdf", value: "FILE.pdf", "write a PDF on A4 pages; - prints it"), .shared,
  ]

  private enum Place {
    case file(String)
    case standardOutput
  }

  private let page: Place?
  private let sheets: Place?

  init(_ arguments: Arguments) throws(UsageError) {
    func place(_ option: String, _ endings: [String]) throws(UsageError) -> Place? {
      guard let path = arguments[option], path != "-" else { return arguments[option].map { _ in .standardOutput } }
      guard path.hasSuffix("/") || endings.contains(where: { path.lowercased().hasSuffix($0) }) else {
        throw arguments.invalid(path.visible, option, "expected a name that ends with \(endings[0])")
      }
      return .file(path)
    }
    if arguments["output"] == "-", arguments["pdf"] == "-" {
      throw arguments.refusal("--output - and --pdf - cannot be combined; name a file for one")
    }
    page = try place("output", [".html", ".htm"])
    sheets = try place("pdf", [".pdf"])
    let isPrinted = (page ?? sheets).map { if case .standardOutput = $0 { true } else { false } } ?? false
    if arguments.has("shared"), isPrinted, page == nil || sheets == nil {
      throw arguments.refusal("--shared needs a file; what is printed goes where the shell sends it")
    }
  }

  /// Checks that the files can be created, before anything is read.
  ///
  /// - Parameter name: the page's name if none was given.
  /// - Returns: the files; `nil` for output that is printed or not requested.
  /// - Throws: ``Failure`` with the reason and what to do.
  func files(named name: String) throws -> (page: OutputFile?, sheets: OutputFile?) {
    if case .standardOutput = sheets, Console.standard.isTerminal {
      throw Failure(
        "refusing to write a PDF to the terminal; use --pdf FILE or redirect the output", status: .wrongUsage)
    }
    func file(_ place: Place?) throws -> OutputFile? {
      if case .file(let path) = place { try OutputFile(path) } else { nil }
    }
    return (try file(page ?? (sheets == nil ? .file(name) : nil)), try file(sheets))
  }

  /// Writes a report; everything is rendered before the first byte is written, and if one file fails, none remains.
  func write(_ report: Report, to files: (page: OutputFile?, sheets: OutputFile?)) async throws {
    let html = report.html()
    let pageBytes = Array(html.utf8)
    var sheetBytes: [UInt8] = []
    if sheets != nil {
      // A signal ends the browser, and removes its files.
      Interrupts.endTidily()
      sheetBytes = try await RenderingProgram.print(html)
    }
    try files.page?.write(pageBytes)
    do {
      try files.sheets?.write(sheetBytes)
    } catch {
      if let page = files.page { try? Folder.removeFile(page.path) }
      throw error
    }
    if case .standardOutput = page { return Console.standard.write(pageBytes) }
    if case .standardOutput = sheets { return Console.standard.write(sheetBytes) }
    for file in [files.page, files.sheets].compactMap(\.self) { Console.standard.line("report: \(file.path.visible)") }
  }
}

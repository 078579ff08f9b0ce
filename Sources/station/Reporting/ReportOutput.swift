import Basics
import Bundles
import Charts
import Reports

/// Where a report goes: as HTML, as PDF, or both, to files or standard output.
struct ReportOutput: Sendable {
  /// The output options of reports.
  static let options: [CommandSyntax.Option] = [
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
        throw arguments.refusal(
          "invalid value “\(path.visible)” for --\(option): expected a name that ends with \(endings[0])")
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

import Basics
import Bundles
import Reports

/// Where a report goes: as a page, as sheets, or as both, into files or onto standard output.
struct ReportOutput: Sendable {
  /// The options that say it.
  static let options: [CommandSyntax.Option] = [
    .init(
      "output", value: "FILE.html",
      "the page; report-….html in this folder unless it or --pdf is given; - prints it"),
    .init("pdf", value: "FILE.pdf", "the same on pages of A4; - prints it"),
  ]

  private enum Place {
    case file(String)
    case standardOutput
  }

  private let page: Place?
  private let sheets: Place?

  init(_ arguments: Arguments, _ syntax: CommandSyntax) throws(UsageError) {
    func place(_ option: String, _ endings: [String]) throws(UsageError) -> Place? {
      guard let path = arguments[option], path != "-" else { return arguments[option].map { _ in .standardOutput } }
      guard path.hasSuffix("/") || endings.contains(where: { path.lowercased().hasSuffix($0) }) else {
        throw UsageError(
          command: syntax,
          reason: "invalid value “\(path.visible)” for --\(option): expected a name that ends with \(endings[0])")
      }
      return .file(path)
    }
    if arguments["output"] == "-", arguments["pdf"] == "-" {
      throw UsageError(command: syntax, reason: "a page and a PDF cannot both be printed; name a file for one of them")
    }
    page = try place("output", [".html", ".htm"])
    sheets = try place("pdf", [".pdf"])
  }

  /// Finds out whether the files can be made, before anything is read.
  ///
  /// - Parameter name: the page's name where none was given.
  /// - Returns: the files; `nil` for what is printed or not made.
  /// - Throws: ``Failure`` with what is in the way.
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

  /// Writes a report: everything is made before the first byte is written, and where one of two files fails none stays.
  func write(_ report: Report, to files: (page: OutputFile?, sheets: OutputFile?)) throws {
    var pageBytes: [UInt8] = []
    if page != nil || files.page != nil { pageBytes = Array(report.html().utf8) }
    let sheetBytes = sheets == nil ? [] : try report.pdf()
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

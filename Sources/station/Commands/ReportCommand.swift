import Bundles
import Files
import HealthStore
import Reports

/// `station report BUNDLE|RESULTS`: what there is to tell of a trial, a session or all results, as a page and as a PDF.
struct ReportCommand: Command {
  static let syntax = CommandSyntax(
    "report", operands: "BUNDLE|RESULTS", count: 1...1,
    "makes a page of a trial, or of a results folder, that opens anywhere",
    options: [
      .init("participant", value: "ID", "of a results folder, only this participant's trials"),
      .init("session", value: "N", "of a results folder, only this session's trials"),
      .init("output", value: "FILE", "the page; report-….html in this folder unless it or --pdf is given; - prints it"),
      .init("pdf", value: "FILE", "the same on pages of A4"),
      SampleSelection.zoneOption,
    ])

  let path: String
  let selection: TrialSelection
  let output: String?
  let pdf: String?
  private let zone: TimeZone

  init(_ arguments: Arguments) throws {
    path = arguments.operands[0]
    selection = TrialSelection(participant: arguments["participant"], session: arguments["session"])
    output = arguments["output"]
    pdf = arguments["pdf"]
    zone = try SampleSelection.zone(arguments, Self.syntax)
    if let output, output == pdf {
      throw UsageError(command: Self.syntax, reason: "--output and --pdf name the same file")
    }
  }

  func run() async throws -> ExitStatus {
    let subject = try ReportSubject(path, selection)
    let page = output ?? (pdf == nil ? subject.fileName : nil)
    // Before anything is read, which may take a while.
    for file in [page == "-" ? nil : page, pdf].compactMap(\.self) { try ReportFile.check(file) }
    let zone = zone
    let local = LocalTime(zone: zone.name) { zone.text($0) }
    let (report, problems) = try subject.report(local: local)
    if page == "-" {
      Console.standard.write(Array(report.html().utf8))
    } else if let page {
      try ReportFile.write(Array(report.html().utf8), to: page)
    }
    if let pdf { try ReportFile.write(try report.pdf(), to: pdf) }
    for problem in problems { Console.standard.complain(problem) }
    return problems.isEmpty ? .done : .failed
  }
}

import Analysis
import Basics
import Bundles
import Export

extension Command {
  static let exports: [Command] =
    [
      exportBIDS, exportBundle,
      exportTable(
        "table", .csv,
        "writes trials, beats, samples and answers as CSV tables, with datapackage.json and scripts for R and pandas"),
      exportTable(
        "jsonl", .jsonLines,
        "writes trials, beats, samples and answers as JSON Lines by site and date, for DuckDB and Spark"),
    ] + DocumentForm.all.map(exportDocument)

  /// Trials as a BIDS data set, to which later calls add.
  private static let exportBIDS = Command(
    "export bids", operands: "RESULTS|BUNDLE…",
    "writes trials as a BIDS 1.11.1 data set, or adds those that it does not have yet",
    options: ExportRequest.options([
      .init("clips", value: "FOLDER", "copy clips that bundles do not embed from this folder, by their SHA-256"),
      .init(
        "describe", value: "FILE", "JSON members for dataset_description.json and the tasks: Name, Authors, License …"),
    ])
  ) { arguments in
    let request = try ExportRequest(arguments)
    Interrupts.endTidily()
    let export = BIDSExport(
      to: request.folder, version: Version.current, pseudonymisation: try request.pseudonymisation(),
      clips: arguments["clips"], given: try arguments["describe"].map(Self.bidsDescription) ?? BIDSDescription(),
      corrections: try arguments.correctionChoice())
    return request.finish(try await export.write(request.operands, request.selection, progress: request.show))
  }

  /// Trials as tidy tables.
  private static func exportTable(_ name: String, _ form: TableExport.Form, _ summary: String) -> Command {
    Command(
      "export \(name)", operands: "RESULTS|BUNDLE…", summary,
      options: ExportRequest.options(before: [
        .init("waveforms", "also write the frames of waveforms, as samples with a row per channel")
      ])
    ) { arguments in
      let request = try ExportRequest(arguments)
      Interrupts.endTidily()
      let trials = try await request.trials()
      let export = TableExport(
        form, to: request.folder, version: Version.current, pseudonymisation: try request.pseudonymisation(),
        includesWaveforms: arguments.has("waveforms"), corrections: try arguments.correctionChoice())
      return request.finish(try await export.write(trials, progress: request.show))
    }
  }

  /// Trials as documents for other programs.
  private static func exportDocument(_ form: DocumentForm) -> Command {
    Command(
      "export \(form.name)", operands: "RESULTS|BUNDLE…", "writes \(form.title)", options: ExportRequest.options()
    ) { arguments in
      let request = try ExportRequest(arguments)
      Interrupts.endTidily()
      let trials = try await request.trials()
      let export = DocumentExport(
        form, to: request.folder, pseudonymisation: try request.pseudonymisation(),
        corrections: try arguments.correctionChoice())
      return request.finish(try await export.write(trials, progress: request.show))
    }
  }

  private static func bidsDescription(_ file: String) throws -> BIDSDescription {
    let bytes = try File.contents(of: file, limit: 1 << 20)
    let document: JSONValue
    do { document = try JSONReader.read(bytes).value } catch {
      throw Failure("--describe “\(file.visible)” is not JSON: \(error)")
    }
    guard let members = document.object else { throw Failure("--describe “\(file.visible)”: expected a JSON object") }
    return BIDSDescription(members)
  }
}

/// What all exports of trials have in common: which are taken, the folder that they are written to, and what is said
/// instead of what could identify a person.
private struct ExportRequest {
  private static let common: [Option] = [
    .init("to", value: "FOLDER", isRequired: true, "the folder to write to; it is created if missing"), .participant,
    .init("session", value: "N", "only trials of this session"),
    .init("verdict", value: "good|suspect", "only trials with this verdict or a better one"),
    .init("trial", value: "ID", repeats: true, "only this trial; the beginning of its identifier is enough"),
    .includeSimulated, .corrections, .results,
  ]

  private static let pseudonymisation: [Option] = [
    .init("pseudonyms", "replace participants' codes and trial identifiers; leave out what could identify a person"),
    .init(
      "shift-dates", "move each participant's dates by a number of days that only the key tells; also leave those out"),
    .init(
      "key", value: "FILE",
      "the file with the key for pseudonyms and dates, made if missing (default: export.key in the results folder)"),
  ]

  /// The options of an export, with its own before and after those of pseudonymisation.
  static func options(before: [Option] = [], _ after: [Option] = []) -> [Option] {
    common + before + pseudonymisation + after + [.shared, .json("one JSON object with what was written")]
  }

  /// The results folders and bundles.
  let operands: [String]
  let folder: String
  let selection: TrialSelection
  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    operands = try arguments.trialOperands()
    guard let folder = arguments["to"] else { throw arguments.refusal("missing --to FOLDER") }
    self.folder = folder
    selection = TrialSelection(
      participant: arguments["participant"], session: arguments["session"], trials: arguments.all("trial"),
      verdict: try arguments.verdict(), includesSimulated: try arguments.includesSimulated())
    if arguments.has("key"), !arguments.has("pseudonyms"), !arguments.has("shift-dates") {
      throw arguments.refusal("--key needs --pseudonyms or --shift-dates")
    }
  }

  /// The key lies in the first results folder that is exported, unless it is named.
  ///
  /// - Throws: `ExportError` for a file without a key, and `FileError`.
  func pseudonymisation() throws -> Pseudonymisation {
    let (hidesCodes, shiftsDates) = (arguments.has("pseudonyms"), arguments.has("shift-dates"))
    guard hidesCodes || shiftsDates else { return .none }
    let folder = operands.first { ResultsPath($0) == .results }
    guard let key = arguments["key"] ?? folder.map({ "\($0)/export.key" }) else {
      throw Failure("missing --key FILE, since no results folder is given that could keep the key")
    }
    return try Pseudonymisation(hidesCodes: hidesCodes, shiftsDates: shiftsDates, keyFile: key)
  }

  func trials() async throws -> ExportSelection {
    let chosen = try await ExportSelection(operands, selection)
    for note in chosen.notes { Console.standard.report(note) }
    return chosen
  }

  func show(_ done: Int, of count: Int) {
    if done % 16 == 0 || done == count { Console.standard.show(status: "trial \(done) of \(count)") }
  }

  /// Prints what came of the export.
  func finish(_ outcome: ExportOutcome) -> ExitStatus {
    Console.standard.show(status: "")
    for problem in outcome.problems { Console.standard.report(problem) }
    for note in outcome.notes { Console.standard.report(note) }
    if let note = TrialChronology.leftOut(outcome.simulatedLeftOut) { Console.standard.report(note) }
    Console.standard.answer(arguments, outcome.json(folder: folder), outcome.lines(folder: folder))
    let isNothing = outcome.withoutFiles > 0 && outcome.withoutFiles == outcome.trials
    return outcome.problems.isEmpty && !isNothing ? .done : .failed
  }
}

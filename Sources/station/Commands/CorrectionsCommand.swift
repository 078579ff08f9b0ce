import Analysis
import Basics
import Bundles
import Recordings
import Reports

extension Command {
  /// People's corrections of beats, beside bundles.
  static let corrections = Command(
    "corrections", operands: "BUNDLE|RESULTS…",
    "lists people's corrections of beats, compares those of two people, or adds one",
    options: CorrectionsRequest.options
  ) { try CorrectionsRequest($0).run() }
}

private struct CorrectionsRequest {
  static let options: [Option] =
    [
      .init("delete", value: "SECONDS", "there was no beat at this time since the trial's zero"),
      .init("insert", value: "SECONDS", "there was a beat at this time"),
      .init("move", value: "FROM:TO", "the beat at the first time came at the second"),
      .init("unusable", value: "FROM:TO", "nothing between these times can be used"),
      .init("undo", value: "N", "correction N no longer counts; undone itself, it counts again"),
      .init("reviewed", "sign the beats as they are corrected so far"),
      .init("reason", value: "TEXT", "why; needed except for --undo and --reviewed"),
      .init("author", value: "NAME", "the name of the person who signs the correction"),
      .init("beats", "list the beats as they are corrected, with the artefacts that are found"),
      .init(
        "compare", value: "NAME", repeats: true,
        "compare the corrections of two authors, each as if the other's were not there; give it twice"),
      .corrections,
      .init("sensor", value: "NAME", "the sensor, if there are several"),
      .init("recorder", value: "NAME", "the beats of this recorder alone (default: all recorders of a sensor)"),
    ] + RecordingOptions.detection + [.resultsOfTrials, .json("JSON")]

  /// What is asked for.
  private enum Task {
    case list, beats
    case compare(String, String)
    case add(Correction.Edit, reason: String?, author: String)
  }

  private let arguments: Arguments
  private let paths: [String]
  private let task: Task

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    paths = try arguments.trialOperands()
    let edit = try Self.edit(arguments)
    if let other = ["reason", "author"].first(where: arguments.has), edit == nil {
      throw arguments.refusal(
        "--\(other) needs a correction: --delete, --insert, --move, --unusable, --undo or --reviewed")
    }
    if arguments.has("channel"), !arguments.has("detect") { throw arguments.refusal("--channel needs --detect") }
    let compared = arguments.all("compare")
    if let edit {
      guard let author = arguments["author"] else {
        throw arguments.refusal("missing --author NAME: a correction is signed")
      }
      guard arguments.has("reason") || !edit.needsReason else {
        throw arguments.refusal("missing --reason TEXT, for example --reason \"T wave taken for a beat\"")
      }
      task = .add(edit, reason: arguments["reason"], author: author)
    } else if !compared.isEmpty {
      guard compared.count == 2, compared[0] != compared[1] else {
        throw arguments.refusal("--compare needs two authors: --compare NAME --compare NAME")
      }
      task = .compare(compared[0], compared[1])
    } else {
      task = arguments.has("beats") ? .beats : .list
    }
    if case .list = task {
      if let option = ["sensor", "recorder", "detect"].first(where: arguments.has) {
        throw arguments.refusal("--\(option) has no effect on the list, which is of all recorders")
      }
    } else if paths.count != 1 {
      throw arguments.refusal("name one bundle")
    }
  }

  private static func edit(_ arguments: Arguments) throws(UsageError) -> Correction.Edit? {
    let kinds = ["delete", "insert", "move", "unusable", "undo", "reviewed", "beats", "compare"]
    switch try arguments.atMostOne(of: kinds) {
    case "delete": return .deleteBeat(t: try arguments.times("delete")[0])
    case "insert": return .insertBeat(t: try arguments.times("insert")[0])
    case "move":
      let times = try arguments.times("move", count: 2)
      return .moveBeat(from: times[0], to: times[1])
    case "unusable":
      let times = try arguments.times("unusable", count: 2)
      guard times[0] < times[1] else {
        throw arguments.invalid(arguments["unusable"] ?? "", "unusable", "expected the earlier time first")
      }
      return .unusable(from: times[0], to: times[1])
    case "undo": return .undo(of: try arguments.wholeNumber("undo", 1...Int.max) ?? 1)
    case "reviewed": return .reviewed
    default: return nil
    }
  }

  func run() throws -> ExitStatus {
    switch task {
    case .list: return try list()
    case .beats:
      let editor = try editor(try arguments.correctionChoice())
      let tachogram = try editor.json()
      Console.standard.answer(arguments, tachogram, Self.lines(ofBeats: tachogram))
    case .compare(let one, let other):
      let authors = try CorrectionsFile(ofBundle: paths[0]).read().authors
      if let unknown = [one, other].first(where: { !authors.contains($0) }) {
        let advice = authors.isEmpty ? "there are none of anybody" : Spelling.advice(for: unknown, among: authors)
        throw Failure("“\(paths[0].visible)” has no corrections by “\(unknown.visible)”; \(advice)")
      }
      let comparison = try CorrectionComparison(one, other, AnalysisSettings()) { try editor($0) }
      Console.standard.answer(arguments, comparison.json, comparison.lines)
    case .add(let edit, let reason, let author):
      let made = try editor(try arguments.correctionChoice()).add(edit, reason: reason, by: author)
      try Console.standard.answer(
        arguments, try JSONValue(encoding: made, writesNull: true),
        ["correction \(made.number): \(made.edit), by \(author.visible)"])
    }
    return .done
  }

  private func editor(_ choice: CorrectionChoice) throws -> BeatEditor {
    try BeatEditor(
      bundle: paths[0], sensor: arguments["sensor"], recorder: arguments["recorder"],
      detection: arguments.has("detect") ? ReadingOptions.Detection(channel: arguments["channel"]) : nil,
      choice: choice)
  }

  private func list() throws -> ExitStatus {
    let choice = try arguments.correctionChoice()
    var listings: [CorrectionsListing] = []
    var status = ExitStatus.done
    for operand in paths {
      do throws(RecordingError) {
        for path in try TrialPaths.expand(operand) {
          guard Folder.isFolder(path) else {
            throw .unreadable(path: path, reason: "it is not a bundle; corrections lie beside bundles")
          }
          let listing = try CorrectionsListing(bundle: path, choice)
          if !listing.isEmpty { listings.append(listing) }
        }
      } catch {
        Console.standard.report("\(error)")
        status = .failed
      }
    }
    Console.standard.answer(
      arguments, .array(listings.map(\.json)),
      listings.isEmpty && status == .done
        ? ["no corrections"] : Array(listings.map(\.lines).joined(separator: [""])))
    return status
  }

  private static func lines(ofBeats tachogram: JSONValue) -> [String] {
    var table = TextTable([("beat, s", .right), ("interval, ms", .right), ("artefact", .left), ("correction", .left)])
    for beat in tachogram["beats"]?.array ?? [] {
      table.add([
        ((beat["t_ns"]?.number ?? 0) / 1e9).fixed(3), beat["interval_ms"]?.number?.fixed(1) ?? "–",
        beat["artefact"]?.string ?? "", beat["edit"]?.number.map { "\(Int($0))" } ?? "",
      ])
    }
    let stretches = (tachogram["unusable"]?.array ?? []).map { stretch in
      func seconds(_ name: String) -> String { ((stretch[name]?.number ?? 0) / 1e9).fixed(3) }
      return "unusable: \(seconds("from_ns")) to \(seconds("to_ns")) s"
    }
    return table.lines + stretches
  }
}

extension CorrectionsListing {
  /// The corrections as a table, with what became of each.
  fileprivate var lines: [String] {
    var table = TextTable([
      ("no.", .right), ("correction", .left), ("recorder", .left), ("author", .left), ("made", .left), ("state", .left),
      ("reason", .left),
    ])
    for entry in entries {
      let one = entry.correction
      table.add([
        "\(one.number)", "\(one.edit)", one.basis.recorder, one.author, "\(one.time)", "\(entry.state)",
        one.reason ?? "",
      ])
    }
    return [path.visible] + (entries.isEmpty ? [] : table.lines) + unread.map { "not read: \($0.visible)" }
  }
}

extension CorrectionComparison {
  /// The comparison for people.
  fileprivate var lines: [String] {
    func numbers(_ edits: [Correction]) -> String {
      edits.isEmpty ? "none" : edits.map { "\($0.number)" }.joined(separator: ", ")
    }
    var table = TextTable([("", .left), (one.author, .right), (other.author, .right), ("both", .right)])
    table.add(["corrections", "\(one.edits.count)", "\(other.edits.count)", "\(edits.both.count)"])
    table.add(["beats", "\(beats.both + beats.onlyOne)", "\(beats.both + beats.onlyOther)", "\(beats.both)"])
    for (first, second) in zip(one.measurements, other.measurements) {
      func text(_ measurement: Measurement) -> String {
        measurement.value.map { "\($0.fixed(1)) \(measurement.unit)" } ?? "–"
      }
      table.add([first.measure.title, text(first), text(second)])
    }
    return table.lines + [
      "only \(one.author.visible): \(numbers(edits.onlyOne))",
      "only \(other.author.visible): \(numbers(edits.onlyOther))",
    ]
  }
}

extension Option {
  static let corrections = Option(
    "corrections", value: "all|none|NAME",
    "which people's corrections of beats to use: all (default), none, or those of one author")
}

extension Arguments {
  /// Which people's corrections of beats are used.
  func correctionChoice() throws(UsageError) -> CorrectionChoice {
    self["corrections"].map(CorrectionChoice.init) ?? .all
  }

  /// The times of an option, in seconds with colons between.
  fileprivate func times(_ option: String, count: Int = 1) throws(UsageError) -> [Duration] {
    let text = self[option] ?? ""
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard numbers.count == count, numbers.allSatisfy({ $0.magnitude <= 86_400 * 365 }) else {
      let expected = count == 1 ? "seconds such as 12.345" : "seconds such as 12.345:14.1"
      throw invalid(text, option, "expected \(expected) since the trial's zero")
    }
    return numbers.map { Duration(seconds: $0) }
  }
}

import Basics
import Laboratory
import Quantities
import SampleStore

extension Command {
  /// The participants of studies, their groups, and what each has done.
  static let participants = Command(
    "participants", operands: "[RESULTS]", "lists the participants of studies with their groups, sessions and trials",
    options: [
      .init("study", value: "ID", "list this study only: the identifier of a protocol"),
      .init("replace", value: "OLD", "replace this participant of --study by the one of --by, and list the study"),
      .init("by", value: "NEW", "the participant who takes over index and group"), .participants, .resultsOfSettings,
      .json("one JSON array"),
    ]
  ) { arguments in
    let results = try arguments.resultsOperand()
    let location = try ParticipantsLocation(arguments, AppliedSettings(results: results), results: results)
    let study = arguments["study"]
    let replacement: (old: String, new: String, study: String)?
    switch (arguments["replace"], try arguments.code("by"), study) {
    case (nil, nil, _): replacement = nil
    case (let old?, let new?, let study?): replacement = (old, new, study)
    case (_, nil, _): throw arguments.refusal("--replace needs the new participant, for example --by p20")
    case (nil, _, _): throw arguments.refusal("--by needs the participant to replace, for example --replace p07")
    case (_, _, nil): throw arguments.refusal("--replace needs the study, for example --study MusicTask")
    }
    let list = try await location.open()
    if let (old, new, study) = replacement {
      _ = try await list.replace(old, by: new, in: study, at: "\(WallTime.now)")
    }
    let known = try await list.studies()
    let chosen = study.map { study in known.filter { $0.identifier == study } } ?? known
    if let study, chosen.isEmpty {
      let advice = known.isEmpty ? "it has no studies yet" : Spelling.advice(for: study, among: known.map(\.identifier))
      throw Failure("the participants' list “\(location.name)” has no study “\(study.visible)”; \(advice)")
    }
    var answers: [(study: ListedStudy, participants: [ListedParticipant])] = []
    for study in chosen { answers.append((study, try await list.participants(of: study.identifier))) }
    await list.close()
    Console.standard.answer(
      arguments, .array(answers.map { $0.study.json($0.participants) }),
      answers.isEmpty
        ? ["no participants"] : Array(answers.map { $0.study.lines($0.participants) }.joined(separator: [""])))
    return .done
  }
}

extension ListedStudy {
  fileprivate func lines(_ participants: [ListedParticipant]) -> [String] {
    let seed = seed.map { ", seed \($0)" } ?? ""
    return ["\(identifier.visible): \(participants.count.counted("participant"))\(seed)"]
      + (participants.isEmpty ? [] : ListedParticipant.table(participants).lines)
  }
}

extension Option {
  static let participants = Option(
    "participants", value: "FILE|postgresql://…",
    "the participants' list (default: that of the settings, or participants.sqlite in the results folder)")
}

/// Where the participants' list is: what `--participants` or the settings name, else a file in the results folder.
struct ParticipantsLocation: Sendable {
  /// The file, or the server's URL.
  let path: String

  /// The list of a call, with or without the option.
  ///
  /// - Throws: ``Failure`` for an address with a password.
  init(_ arguments: Arguments, _ settings: AppliedSettings, results: String) throws {
    path = arguments["participants"] ?? settings.participants?.value ?? Self.file(in: results)
    try SampleStore.requireNoPassword(path, in: "participants")
  }

  static func file(in results: String) -> String { Folder.path("participants.sqlite", from: results) }

  var isServer: Bool { SampleStore.isServer(path) }

  /// The list in messages: the file, or that it is on a server.
  var name: String { isServer ? "postgresql://…" : path.visible }

  /// Opens the list, and creates it if there is none.
  func openOrMake() async throws -> ParticipantList {
    try await ParticipantList.open(path) { Console.standard.report("waiting for \($0)") }
  }

  func open() async throws -> ParticipantList {
    guard let list = try await openIfThere() else {
      throw Failure(
        "there is no participants' list “\(path.visible)”; name another one with --participants, or enrol the first "
          + "participant with “station run”")
    }
    return list
  }

  /// Opens an existing list; `nil` if there is none.
  func openIfThere() async throws -> ParticipantList? {
    try isServer || Folder.find(path) ? try await openOrMake() : nil
  }
}

import Basics
import Laboratory
import Quantities

/// `station participants [RESULTS]`: the participants of studies, their groups, and what each has done.
struct ParticipantsCommand: Command {
  static let syntax = CommandSyntax(
    "participants", operands: "[RESULTS]", count: 0...1,
    "lists the participants of studies with their groups, sessions and trials",
    options: [
      .init("study", value: "ID", "list this study only: the identifier of a protocol"),
      .init("replace", value: "OLD", "replace this participant of --study by the one of --by, and list the study"),
      .init("by", value: "NEW", "the participant who takes over index and group"),
      ParticipantsLocation.option, AppliedSettings.resultsOption,
      .init("json", "print one JSON array"),
    ])

  let location: ParticipantsLocation
  let study: String?
  let replacement: Replacement?
  let isJSON: Bool

  /// A participant who takes over from another one.
  struct Replacement: Sendable {
    let old: String
    let new: String
    let study: String
  }

  init(_ arguments: Arguments) throws {
    let results = try arguments.results()
    location = try ParticipantsLocation(arguments, AppliedSettings(results: results), results: results)
    study = arguments["study"]
    isJSON = arguments.has("json")
    switch (arguments["replace"], try arguments.code("by"), study) {
    case (nil, nil, _): replacement = nil
    case (let old?, let new?, let study?): replacement = Replacement(old: old, new: new, study: study)
    case (_, nil, _): throw arguments.refusal("--replace needs the new participant, for example --by p20")
    case (nil, _, _): throw arguments.refusal("--by needs the participant to replace, for example --replace p07")
    case (_, _, nil): throw arguments.refusal("--replace needs the study, for example --study MusicTask")
    }
  }

  func run() async throws -> ExitStatus {
    let list = try await location.open()
    if let replacement {
      _ = try await list.replace(
        replacement.old, by: replacement.new, in: replacement.study, at: "\(WallTime.now)")
    }
    var answers: [(study: ListedStudy, participants: [ListedParticipant])] = []
    for study in try await chosen(list.studies()) {
      answers.append((study, try await list.participants(of: study.identifier)))
    }
    await list.close()
    if isJSON {
      Console.standard.write(JSONValue.array(answers.map { $0.study.json($0.participants) }).encoded(pretty: true))
    } else {
      show(answers)
    }
    return .done
  }

  /// The studies to list.
  private func chosen(_ studies: [ListedStudy]) throws -> [ListedStudy] {
    guard let study else { return studies }
    let chosen = studies.filter { $0.identifier == study }
    guard !chosen.isEmpty else {
      let known = studies.map(\.identifier)
      let advice = known.isEmpty ? "it has no studies yet" : Spelling.advice(for: study, among: known)
      throw Failure("the participants' list “\(location.name)” has no study “\(study.visible)”; \(advice)")
    }
    return chosen
  }

  private func show(_ answers: [(study: ListedStudy, participants: [ListedParticipant])]) {
    if answers.isEmpty { Console.standard.line("no participants") }
    for (number, (study, participants)) in answers.enumerated() {
      if number > 0 { Console.standard.line() }
      let seed = study.seed.map { ", seed \($0)" } ?? ""
      Console.standard.line("\(study.identifier.visible): \(participants.count.counted("participant"))\(seed)")
      guard !participants.isEmpty else { continue }
      for line in ListedParticipant.table(participants).lines { Console.standard.line(line) }
    }
  }
}

import Basics
import Bundles
import Laboratory
import Quantities
import Synchronization

extension Command {
  /// Removes a person from results, sample store and participants' list.
  static let withdraw = Command(
    "withdraw", operands: "PARTICIPANT",
    "removes a participant's bundles, sessions, samples and code, and keeps a tombstone without data",
    options: [
      .init("study", value: "ID", "remove the participant from this study only: the identifier of a protocol"),
      .init("yes", "do not ask; needed where standard input is not a terminal"), .resultsOfSettings, .participants,
      .json(),
    ] + StoreLocation.place
  ) { try await WithdrawalRequest($0).run() }
}

private struct WithdrawalRequest {
  private let arguments: Arguments
  private let participant: String
  private let results: String
  private let participants: ParticipantsLocation
  private let store: StoreLocation

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    participant = arguments.operands[0]
    results = arguments.results
    participants = try ParticipantsLocation(arguments, AppliedSettings(results: results), results: results)
    store = StoreLocation(arguments)
    try store.requireNoPassword()
    guard arguments.has("yes") || Keyboard.isTerminal else {
      throw arguments.refusal("the question cannot be asked, since standard input is not a terminal; add --yes")
    }
  }

  func run() async throws -> ExitStatus {
    let folder = ResultsFolder(results)
    guard folder.isThere else {
      throw Failure("there is no results folder “\(results.visible)”; name another one with --results")
    }
    let study = arguments["study"]
    let list = try await participants.openIfThere()
    let samples = try await store.openIfThere()
    var withdrawal = Withdrawal(of: participant, from: study, results: folder, store: samples, list: list)
    let sent = Mutex<Set<String>>([])
    withdrawal.forgetSent = { trials in
      let destinations = try await forgetSent(trials)
      sent.withLock { $0.formUnion(destinations) }
    }
    let holdings = try await withdrawal.find()
    guard !holdings.isEmpty else {
      let place = study.map { " in the study “\($0.visible)”" } ?? ""
      throw Failure(
        "there is nothing of a participant “\(participant.visible)”\(place) in “\(results.visible)”; “station "
          + "participants” and “station list” show the codes")
    }
    guard arguments.has("yes") || confirms(holdings) else { throw Failure("nothing was removed") }
    let outcome = try await withdrawal.perform()
    var remainders = try await remainders(holdings, list, hasStore: samples != nil, in: folder)
    let destinations = sent.withLock { $0.sorted() }
    if !destinations.isEmpty { remainders.insert(.sent(destinations), at: 0) }
    await list?.close()
    Console.standard.answer(
      arguments, outcome.json(remainders), outcome.lines + remainders.map { "note: \($0.description.visible)" })
    return .done
  }

  /// Removes trials from the outbox.
  ///
  /// - Returns: the destinations that any of them was sent to, or may have been.
  private func forgetSent(_ trials: Set<String>) async throws -> Set<String> {
    guard !trials.isEmpty, let outbox = try await Outbox.openIfThere(inResults: results) else { return [] }
    let selection = OutboxSelection(trials: trials, states: Set(OutboxItem.State.allCases))
    let destinations = Mutex<Set<String>>([])
    try await outbox.forEach(selection) { item in
      if item.state == .sent || item.attempts > 0 || Sender.isAtWork(from: results, to: item.key.destination) {
        _ = destinations.withLock { $0.insert(Destination.shown(item.key.destination.address)) }
      }
      return true
    }
    _ = try await outbox.forget(selection)
    await outbox.close()
    return destinations.withLock { $0 }
  }

  /// Shows what would be removed, and asks for the code once more.
  private func confirms(_ holdings: Withdrawal.Holdings) -> Bool {
    let studies = holdings.files.studies.union(holdings.names.keys).sorted().map { "“\($0)”" }
    Console.standard.report(
      "this removes participant “\(participant.visible)”"
        + (studies.isEmpty ? "" : " from \(studies.joined(separator: ", ").visible)")
        + ": \(holdings.files.bundles.count.counted("bundle")), \(holdings.files.sessions.count.counted("session")), "
        + "\(holdings.samples.counted("sample")); it cannot be undone")
    Console.standard.report("type the code again to remove it:")
    Console.standard.drain()
    return readLine() == participant
  }

  private func remainders(
    _ holdings: Withdrawal.Holdings, _ list: ParticipantList?, hasStore: Bool, in folder: ResultsFolder
  ) async throws -> [WithdrawalRemainder] {
    var remainders: [WithdrawalRemainder] = []
    if !holdings.unreadable.isEmpty { remainders.append(.unreadable(holdings.unreadable)) }
    let old = store.isServer ? [] : try folder.oldStores(beside: store.path)
    if !old.isEmpty { remainders.append(.oldStores(old)) }
    var others: [String] = []
    for one in try await list?.studies() ?? [] {
      let entries = try await list?.participants(of: one.identifier) ?? []
      if entries.contains(where: { $0.code == participant }) { others.append(one.identifier) }
    }
    if !others.isEmpty { remainders.append(.otherStudies(others)) }
    if store.isServer && hasStore || participants.isServer { remainders.append(.server) }
    return remainders + [.copies, .disk]
  }
}

extension Withdrawal.Outcome {
  /// What was removed, for people.
  fileprivate var lines: [String] {
    let earlier = completed.map { "\($0.line) (of an earlier withdrawal that was not completed)" }
    return earlier + tombstones.map(\.line) + ["\(samples.counted("sample")) removed from the store"]
  }

  fileprivate func json(_ remainders: [WithdrawalRemainder]) -> JSONValue {
    [
      "removed": .array(tombstones.map(\.json)), "completedEarlier": .array(completed.map(\.json)),
      "samples": .integer(samples),
      "elsewhere": .array(
        remainders.map { one in
          ["code": .string(one.code), "names": .array(one.names.map { .string($0) }), "text": .string(one.description)]
        }),
    ]
  }
}

extension WithdrawnParticipant {
  fileprivate var line: String {
    "\(study): \(bundles.counted("bundle")) and \(sessions.counted("session")) removed"
      + (participant.map { "; the list has “\($0)”" } ?? "")
  }

  fileprivate var json: JSONValue {
    [
      "participant": .text(participant), "study": .string(study), "bundles": .integer(bundles),
      "sessions": .integer(sessions), "time": .string("\(time)"),
    ]
  }
}

import Basics
import Laboratory

extension Command {
  /// What waits to be sent, and what was refused and why.
  static let outbox = Command(
    "outbox", operands: "[list|retry|forget] [TRIAL…]",
    "lists what waits to be sent or was refused, and why; retries or forgets it",
    options: [
      .init("to", value: "URL|FOLDER", "of this destination only"),
      .init("parked", "of what was refused only"),
      .init("all", "what was sent as well; needed to forget everything"), .results,
      .json("one JSON object a line, or one for retry and forget"),
    ],
    sections: [
      .init(
        title: "What is done:",
        rows: [
          .init("list", "print destinations with their counts, and each bundle with its reason (default)"),
          .init(
            "retry", "let bundles be sent again by the next “station send” or session: what was refused, or TRIAL…"),
          .init("forget", "remove bundles from the outbox: TRIAL…, --parked, --to or --all; the bundles remain"),
        ])
    ]
  ) { try await OutboxRequest($0).run() }
}

private struct OutboxRequest {
  private enum Action: String, CaseIterable {
    case list
    case retry
    case forget
  }

  private let action: Action
  private let selection: OutboxSelection
  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    var operands = arguments.operands[...]
    if let word = operands.first, let action = Action(rawValue: word) {
      self.action = action
      operands.removeFirst()
    } else {
      if let word = operands.first, !word.contains("-"), !word.contains("/"), word.first?.isNumber == false {
        _ = try arguments.choice(operand: word, Action.self, called: "action")
      }
      action = .list
    }
    var states: Set<OutboxItem.State> = arguments.has("parked") ? [.parked] : [.waiting, .parked]
    if arguments.has("all") {
      try arguments.atMostOne(of: ["all", "parked"])
      states.insert(.sent)
    }
    if action == .retry, operands.isEmpty, !arguments.has("all") { states = [.waiting, .parked] }
    if action == .forget, operands.isEmpty, !["all", "parked", "to"].contains(where: arguments.has) {
      throw arguments.refusal("forget needs TRIAL…, --parked, --to or --all")
    }
    if action != .list, !operands.isEmpty { states.insert(.sent) }
    selection = OutboxSelection(
      // The address as the outbox has it.
      address: try arguments["to"].map { text in
        try arguments.checked { try Destination(text, form: nil, isInsecure: true).row.address }
      }, trials: operands.isEmpty ? nil : Set(operands), states: states)
  }

  func run() async throws -> ExitStatus {
    let results = arguments.results
    guard let outbox = try await Outbox.openIfThere(inResults: results) else {
      throw Failure("there is no outbox in “\(results.visible)”; “station send” creates one")
    }
    let selection = try await named(in: outbox)
    switch action {
    case .list: try await list(outbox, selection)
    case .retry: show(try await outbox.retry(selection, at: .now), "retried", "to be sent again")
    case .forget: show(try await outbox.forget(selection), "forgotten", "forgotten")
    }
    await outbox.close()
    return .done
  }

  /// The selection with whole identifiers for the beginnings of them.
  private func named(in outbox: Outbox) async throws -> OutboxSelection {
    guard let beginnings = selection.trials else { return selection }
    var all: Set<String> = []
    for beginning in beginnings {
      let found = try await outbox.trials(beginningWith: beginning)
      guard !found.isEmpty else { throw Failure("the outbox has no trial “\(beginning.visible)”") }
      guard found.count == 1 || found.contains(beginning) else {
        throw Failure(
          "“\(beginning.visible)” is the beginning of several trials: \(found.joined(separator: ", ").visible)")
      }
      all.insert(found.contains(beginning) ? beginning : found[0])
    }
    var selection = selection
    selection.trials = all
    return selection
  }

  private func show(_ count: Int, _ key: String, _ words: String) {
    Console.standard.answer(arguments, [key: .integer(count)], ["\(count.counted("bundle")) \(words)"])
  }

  private func list(_ outbox: Outbox, _ selection: OutboxSelection) async throws {
    guard !arguments.isJSON else {
      return try await outbox.forEach(selection) { item in
        Console.standard.data(Self.json(item).text())
        return !Console.standard.isUnread
      }
    }
    let counts = try await outbox.counts()
    if counts.isEmpty { Console.standard.line("the outbox is empty") }
    for count in counts where [nil, count.destination.address].contains(selection.address) {
      Console.standard.line(Self.line(count))
      var own = selection
      (own.address, own.form) = (count.destination.address, count.destination.form)
      try await outbox.forEach(own) { item in
        Console.standard.line(Self.line(item))
        return !Console.standard.isUnread
      }
    }
  }

  private static func line(_ count: OutboxCount) -> String {
    let hold = count.hold.map {
      $0.isRequested ? "; it asked to wait until \($0.until)" : "; next attempt at \($0.until)"
    }
    return "\(Destination.shown(count.destination.address)) (\(count.destination.form)): \(count.waiting) waiting, "
      + "\(count.parked) parked, \(count.sent) sent" + (hold ?? "")
  }

  private static func line(_ item: OutboxItem) -> String {
    let attempts = item.attempts == 0 ? "" : ", \(item.attempts.counted("attempt"))"
    return "  \(item.key.trial.visible)  \(item.state.name)\(attempts)" + (item.reason.map { ": \($0)" } ?? "")
  }

  private static func json(_ item: OutboxItem) -> JSONValue {
    [
      "trial": .string(item.key.trial), "destination": .string(Destination.shown(item.key.destination.address)),
      "format": .string(item.key.destination.form), "path": .string(item.path), "state": .string(item.state.name),
      "attempts": .integer(item.attempts), "queued": .string("\(item.queued)"), "due": .string("\(item.due)"),
      "tried": .text(item.tried.map { "\($0)" }), "problem": .text(item.problem), "reason": .text(item.reason),
      "confirmation": .text(item.confirmation),
      "receipt": item.receipt.map { (try? JSONReader.read(Array($0.utf8)).value) ?? .string($0) } ?? .null,
    ]
  }
}

import Basics
import Bundles
import Laboratory
import Synchronization

extension Command {
  /// Adds bundles to the outbox, and sends what waits for the destination.
  static let send = Command(
    "send", operands: "[BUNDLE…]",
    "sends bundles to a server or a folder, each once (default: all in the results folder)",
    options: [
      .init(
        "to", value: "URL|FOLDER",
        "the receiver's address, any URL, or a folder such as a share (default: that of the settings)"),
      .init(
        "format", value: "FORMAT", choices: Destination.Form.allCases.map(\.rawValue),
        "what a server gets: bundle for a receiver that answers with a receipt (default), json for an array of hr, "
          + "startDate and endDate, station.trial/1 for result and heart data"),
    ] + SendOptions.connection + [
      .init("wait", value: "SECONDS", "how long to try again what fails (default: 60; 0: try once)"), .shared, .results,
      .json(),
    ]
  ) { arguments in
    let form = try arguments.choice("format", Destination.Form.self)
    // The token of the settings is for their destination alone.
    let settings = arguments.has("to") ? nil : SentSettings(try AppliedSettings(arguments))
    guard let to = arguments["to"] ?? settings?.address else {
      throw arguments.refusal(
        "missing --to, for example --to https://receiver.example.org; the settings have no “sending” either")
    }
    let options = try SendOptions(arguments, settings)
    let destination = try arguments.checked {
      try Destination(to, form: form ?? settings?.form, isInsecure: options.isInsecure)
    }
    if arguments.has("shared"), !destination.isFolder {
      throw arguments.refusal("--shared is for a folder, not for a server")
    }
    if settings?.value.isShared == true { NewFiles.share() }
    let bundles = try arguments.trialOperands()
    let results = arguments.results
    let patience: Duration = try .seconds(arguments.wholeNumber("wait", 0...86_400) ?? 60)
    let isJSON = arguments.isJSON
    guard ResultsFolder(results).isThere || !bundles.isEmpty else {
      throw Failure("there are no bundles in “\(results.visible)”; name the results folder with --results")
    }
    // A share that is unmounted later is waited for.
    if case .folder(let path) = destination.kind, !Folder.isFolder(path) {
      throw Failure("nothing was sent: \(SendProblem.noFolder(path))")
    }
    try Folder.ensure(results)
    // Ctrl-S stops what is shown, and not the sending.
    Console.standard.decouple()
    let delivery = try destination.delivery(options)
    let outbox = try await Outbox.open(inResults: results)
    let added = try await OutgoingList(bundles, results: results).add(to: outbox, for: destination.row, at: .now)
    let sender = Sender(outbox, results: results, to: destination, by: delivery)
    defer { Console.standard.show(status: "") }
    let progress = Mutex(0)
    let machine = try await sender.run(patience: patience, isAsked: true) { item in
      if item.state == .sent {
        let count = progress.withLock { count in
          count += 1
          return count
        }
        Console.standard.show(status: "\(count.counted("bundle")) sent")
      } else if !isJSON, let reason = item.reason {
        Console.standard.report("\(item.key.trial.visible): \(item.state == .parked ? "parked" : "waits"): \(reason)")
      }
    }
    Console.standard.show(status: "")
    let count = try await outbox.counts().first { $0.destination == destination.row }
    await outbox.close()
    Self.show(machine, to: destination, added: added, count, isJSON: isJSON)
    return (count?.waiting ?? 0) + (count?.parked ?? 0) == 0 ? .done : .failed
  }

  private static func show(
    _ machine: SenderMachine, to destination: Destination, added: Int, _ count: OutboxCount?, isJSON: Bool
  ) {
    let (waiting, parked, sent) = (count?.waiting ?? 0, count?.parked ?? 0, count?.sent ?? 0)
    guard !isJSON else {
      return Console.standard.write([
        "destination": .string(destination.shown), "format": .string(destination.row.form),
        "added": .integer(added), "sentNow": .integer(machine.tally.sent), "sent": .integer(sent),
        "waiting": .integer(waiting), "parked": .integer(parked), "until": .text(count?.hold.map { "\($0.until)" }),
        "isConfirmed": .bool(destination.confirms),
      ])
    }
    let earlier = sent - machine.tally.sent
    Console.standard.line(
      "\(machine.tally.sent.counted("bundle")) sent to \(destination.shown)"
        + (earlier > 0 ? ", \(earlier) before" : "") + (waiting > 0 ? ", \(waiting) waiting" : "")
        + (parked > 0 ? ", \(parked) parked" : ""))
    if !destination.confirms, machine.tally.sent > 0 {
      Console.standard.line(
        "note: this server confirms nothing but a status of success: a bundle arrives at least once, perhaps twice")
    }
    if let hold = count?.hold, waiting > 0 {
      Console.standard.line(
        hold.isRequested ? "the server asked to wait until \(hold.until)" : "the next attempt is due at \(hold.until)")
    }
    if waiting + parked > 0 { Console.standard.line("“station outbox” shows the reasons") }
  }
}

extension Destination {
  fileprivate var isFolder: Bool { if case .folder = kind { true } else { false } }

  /// Whether the destination says more than that it accepted something.
  fileprivate var confirms: Bool {
    switch kind {
    case .server(_, .json), .server(_, .trial): false
    default: true
    }
  }
}

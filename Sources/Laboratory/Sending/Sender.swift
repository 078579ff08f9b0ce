package import Basics

/// Sends what waits in an outbox for one destination.
package struct Sender: Sendable {
  private let outbox: Outbox
  private let results: String
  private let destination: Destination
  private let delivery: any Delivery
  private let now: @Sendable () -> WallTime
  private let random: @Sendable () -> Double
  private let sleep: @Sendable (Duration) async throws -> Void

  /// A sender.
  ///
  /// - Parameters:
  ///   - outbox: the outbox.
  ///   - results: the results folder.
  ///   - destination: where to send.
  ///   - delivery: how to send.
  ///   - now: the wall clock.
  ///   - random: numbers from 0 to 1.
  ///   - sleep: waits.
  package init(
    _ outbox: Outbox, results: String, to destination: Destination, by delivery: any Delivery,
    now: @escaping @Sendable () -> WallTime = { .now },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.outbox, self.results, self.destination, self.delivery) = (outbox, results, destination, delivery)
    (self.now, self.random, self.sleep) = (now, random, sleep)
  }

  /// The minimum number of attempts at the lock, in real time.
  private static let minAttempts = 20

  /// Sends everything that waits for the destination.
  ///
  /// One process at a time sends to a destination; another one waits for it.
  ///
  /// - Parameters:
  ///   - patience: how long what fails is tried again.
  ///   - isAsked: whether a person asks, so that what only waits for the next attempt is sent now.
  ///   - report: called with each row as it was recorded.
  /// - Returns: the sender's machine, with what was done.
  /// - Throws: the outbox's errors, `FileError` of the lock, `SenderBusy`, and `CancellationError`.
  package func run(
    patience: Duration, isAsked: Bool, report: @Sendable (OutboxItem) -> Void
  ) async throws -> SenderMachine {
    let deadline = now().advanced(by: patience)
    var begun: SenderMachine?
    while true {
      let (machine, due) = try await takeTurn(until: deadline) { delivery in
        var machine: SenderMachine
        if let begun {
          machine = begun
        } else {
          try await outbox.makeDue(destination.row, at: now(), longest: Backoff.maxRequestLength, isAsked: isAsked)
          machine = SenderMachine(hold: try await outbox.hold(of: destination.row), deadline: deadline)
        }
        let due = try await sendDue(&machine, by: delivery, report)
        return (machine, due)
      }
      guard let due else { return machine }
      begun = machine
      try await sleep(now().duration(to: due))
    }
  }

  /// Sends what is due.
  ///
  /// - Returns: when something is due again; `nil` for nothing before the end of the patience.
  private func sendDue(
    _ machine: inout SenderMachine, by delivery: any Delivery, _ report: @Sendable (OutboxItem) -> Void
  ) async throws -> WallTime? {
    while true {
      switch machine.next(try await outbox.next(for: destination.row), at: now()) {
      case .stop: return nil
      case .wait(let due): return due
      case .send(let item):
        let outcome = await send(item, by: delivery)
        // What has arrived is recorded also where the session ends meanwhile: it would be sent again.
        if !outcome.isSent { try Task.checkCancellation() }
        let row = machine.take(outcome, of: item, at: now(), random: random())
        let hold = machine.hold
        try await Task { try await outbox.record(row, hold: hold) }.value
        report(row)
        try Task.checkCancellation()
      }
    }
  }

  private func send(_ item: OutboxItem, by delivery: any Delivery) async -> SendOutcome {
    do throws(SendProblem) {
      let bundle = try OutgoingBundle(Folder.path(item.path, from: results), of: item.key.trial)
      return await delivery.deliver(bundle, at: now())
    } catch {
      return .refused(error, .bundle)
    }
  }

  /// Waits until no other process sends to the destination, and does something before the next one may.
  private func takeTurn<Value>(
    until deadline: WallTime, _ work: (any Delivery) async throws -> Value
  ) async throws -> Value {
    let path = Self.lockPath(of: destination.row, in: results)
    var attempts = 0
    while true {
      let lock = try LockedFile(path, .ensure)
      if try lock.take() {
        return try await lock.hold {
          try await work(await delivery.inTurn(of: try Self.mark(in: lock.file)))
        }
      }
      // A program that this process is just starting has all of its locks for a moment.
      attempts += 1
      guard attempts > Self.minAttempts else {
        try await Task.sleep(for: .milliseconds(10))
        continue
      }
      guard now() < deadline else { throw SenderBusy(holder: LockHolder(of: path)?.description) }
      try await sleep(.milliseconds(100))
    }
  }
}

extension Sender {
  /// Whether a process sends from a results folder to a destination at this moment; `true` where that is not known.
  package static func isAtWork(from results: String, to destination: OutboxDestination) -> Bool {
    let path = lockPath(of: destination, in: results)
    return Folder.exists(path) && File.isLocked(path) ?? true
  }

  private static func lockPath(of destination: OutboxDestination, in results: String) -> String {
    let name = SHA256.digest(of: Array("\(destination.address)\0\(destination.form)".utf8)).description.prefix(8)
    return Folder.path("station.sqlite.sending-\(name)", from: results)
  }

  /// What identifies the results folder at the destination, drawn by the first sender and kept in the file of the lock.
  private static func mark(in file: borrowing File) throws(FileError) -> String {
    let mark = FolderDelivery.randomMark()
    let known = String(decoding: try file.read(upTo: mark.utf8.count + 1, at: 0), as: UTF8.self)
    if known.utf8.count == mark.utf8.count, known.allSatisfy(\.isHexDigit) { return known }
    try file.truncate(to: 0)
    try file.write(Array(mark.utf8), at: 0)
    return mark
  }
}

/// Another process sends to the same destination.
struct SenderBusy: Error, Hashable, Sendable, CustomStringConvertible {
  /// The process, as far as it is known.
  let holder: String?

  var description: String {
    "\(holder ?? "another process") is sending to the same destination; what was added waits for it"
  }
}

import Basics
import Bundles
import Quantities
import SampleStore
import Session
import Synchronization
import TestSupport
import Testing

@testable import Laboratory

@Suite("Sending after each trial")
struct OutboxFollowerTests {
  /// What an operator was told.
  private final class Desk: OperatorDisplay {
    let problems = Mutex<[String]>([])
    let canRedraw = false
    func line(_ text: String) {}
    func heading(_ text: String) {}
    func report(_ text: String) { problems.withLock { $0.append(text) } }
    func show(status: String) {}
    func show(prompt: String) {}
    func show(
      screen rows: @escaping @Sendable (TerminalSize) -> [String],
      painted: @escaping @Sendable (TerminalSize, Moment) -> Void
    ) {}
    func leaveScreen() {}
    func ring() {}
  }

  private func follower(_ bench: BaggedTrials, to address: String, _ desk: Desk) throws -> OutboxFollower {
    let destination = try Destination(address, form: .bundle, isInsecure: false)
    var settings = HTTPClient.Settings()
    settings.silence = 2
    let delivery = ReceiverDelivery(try HTTPClient(settings), address: address, token: nil)
    return OutboxFollower(results: bench.results, to: destination, by: delivery, console: desk) {
      try await Outbox.open("\(bench.results)/station.sqlite")
    }
  }

  @Test("Settings know the forms in which bundles are sent")
  func forms() {
    #expect(StationSettings.sendingForms == Destination.Form.allCases.map(\.rawValue))
  }

  @Test("Bundles are sent when they are finished, and earlier ones at the end of the session")
  func sends() async throws {
    let (bench, receiver, desk) = (try BaggedTrials(3), try await Receiver(), Desk())
    let follower = try follower(bench, to: receiver.url("ok"), desk)
    await follower.follow(try Bundle(bench.path(of: bench.trials[2])))
    await follower.sessionEnded()
    #expect(try receiver.kept == bench.trials)
    #expect(try receiver.requests.count == 3 && desk.problems.withLock(\.isEmpty))
  }

  @Test("A server that hangs does not hold up the trial, and the rest is reported once")
  func hangs() async throws {
    let (bench, receiver, desk) = (try BaggedTrials(2), try await Receiver(), Desk())
    let follower = try follower(bench, to: receiver.url("hang"), desk)
    for trial in bench.trials { await follower.follow(try Bundle(bench.path(of: trial))) }
    // Both are in the outbox while the server still hangs.
    let outbox = try await Outbox.open("\(bench.results)/station.sqlite")
    #expect(try await outbox.counts().map(\.waiting) == [2])
    await follower.sessionEnded()
    #expect(try await outbox.counts().map(\.waiting) == [2])
    #expect(desk.problems.withLock { $0.last?.contains("2 bundles waiting and 0 parked") } == true)
  }
}

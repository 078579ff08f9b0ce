import Basics
import Glibc
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Sensors
@testable import pretend

/// The device's end of a cable, on which a thread notes when each byte came.
final class ListeningDevice: Sendable {
  /// A byte, between two readings of the clock: it was not there at the first.
  struct Arrival: Sendable {
    let byte: UInt8
    let before: Moment
    let after: Moment
  }

  let path: String
  private let cable: Mutex<PseudoTerminal?>
  private let arrivals = Mutex<[Arrival]>([])
  private let bell = Bell()
  private let alarm = Alarm()

  init() throws {
    let cable = try PseudoTerminal()
    path = cable.path
    self.cable = Mutex(consume cable)
    WaitingThread.start { self.listen() }
  }

  private func listen() {
    let clock = MonotonicClock()
    var before = clock.now
    while true {
      let bytes = cable.withLock { cable -> [UInt8]? in
        guard let open = cable.take() else { return nil }
        let bytes = open.received()
        cable = consume open
        return bytes
      }
      guard let bytes else { return }
      let now = clock.now
      if !bytes.isEmpty {
        let first = before
        arrivals.withLock { $0 += bytes.map { Arrival(byte: $0, before: first, after: now) } }
        bell.ring()
      }
      before = now
      _ = alarm.wait([], milliseconds: 1)
    }
  }

  /// The first bytes, as soon as there are so many.
  func bytes(_ count: Int) async -> [Arrival] {
    while arrivals.withLock({ $0.count }) < count { _ = await bell.wait() }
    return arrivals.withLock { $0 }
  }

  /// Closes the device's end.
  func unplug() { cable.withLock { $0 = nil } }
}

@Suite("Markers at a serial port", .timeLimit(.minutes(2)))
struct SerialMarkersTests {
  private let clock = MonotonicClock()

  /// Sends a code, and waits for what became of it.
  private func send(_ code: UInt8, at moment: Moment, _ markers: SerialMarkers) async -> MarkerDelivery {
    await withCheckedContinuation { continuation in
      _ = markers.send(code, at: moment) { continuation.resume(returning: $0) }
    }
  }

  @Test("A code is written at its moment, which is measured, and reset after its pulse")
  func pulse() async throws {
    let device = try ListeningDevice()
    var settings = SerialMarkers.Settings(path: device.path)
    settings.pulse = .milliseconds(20)
    let markers = try await SerialMarkers.open(settings, name: "serial:port")
    let (worst, lateness) = try await Lateness.during { try await late([1, 128, 255], markers, device) }
    markers.close()
    device.unplug()
    if let excuse = lateness.excuse { try Test.cancel("\(excuse)") }
    #expect(worst.lateness < .milliseconds(100) && worst.uncertainty < .milliseconds(5))
  }

  /// Sends codes, and gives the largest lateness and uncertainty.
  private func late(
    _ codes: [UInt8], _ markers: SerialMarkers, _ device: ListeningDevice
  ) async throws -> (lateness: Duration, uncertainty: Duration) {
    var worst = (lateness: Duration.zero, uncertainty: Duration.zero)
    for code in codes {
      let due = clock.now.advanced(by: .milliseconds(30))
      let before = await device.bytes(0).count
      guard case .sent(let sent) = await send(code, at: due, markers) else {
        Issue.record("it was not sent")
        continue
      }
      let heard = await device.bytes(before + 2).dropFirst(before)
      #expect(heard.map(\.byte) == [code, 0])
      #expect(sent.moment >= due)
      let first = try #require(heard.first)
      // The byte cannot have come before it was written, and was not there when the device looked last.
      #expect(first.after >= sent.moment.advanced(by: .zero - sent.uncertainty))
      #expect(first.before <= sent.moment.advanced(by: sent.uncertainty))
      let reset = try #require(heard.last)
      #expect(reset.after >= sent.moment.advanced(by: .milliseconds(20) - sent.uncertainty))
      worst = (max(worst.lateness, due.duration(to: sent.moment)), max(worst.uncertainty, sent.uncertainty))
    }
    return worst
  }

  @Test("Without a pulse a code stays, and the next one follows it")
  func level() async throws {
    let device = try ListeningDevice()
    var settings = SerialMarkers.Settings(path: device.path)
    settings.pulse = .zero
    let markers = try await SerialMarkers.open(settings, name: "serial:port")
    for code in [UInt8(3), 4] { _ = await send(code, at: clock.now, markers) }
    #expect(await device.bytes(2).map(\.byte) == [3, 4])
    markers.close()
    device.unplug()
  }

  @Test("A code that is taken back is not written, and nothing is reported of it")
  func cancelled() async throws {
    let device = try ListeningDevice()
    let markers = try await SerialMarkers.open(SerialMarkers.Settings(path: device.path), name: "serial:port")
    let number = markers.send(9, at: clock.now.advanced(by: .milliseconds(200))) { _ in
      Issue.record("it is reported")
    }
    markers.cancel(number)
    _ = await send(5, at: clock.now.advanced(by: .milliseconds(250)), markers)
    #expect(await device.bytes(2).map(\.byte) == [5, 0])
    markers.close()
    device.unplug()
  }

  @Test("A code for a port that was unplugged fails with the reason, and the next works where it is back")
  func unplugged() async throws {
    let folder = TemporaryFolder()
    let link = "\(folder.path)/port"
    let device = try ListeningDevice()
    try #require(unsafe symlink(device.path, link) == 0)
    let markers = try await SerialMarkers.open(SerialMarkers.Settings(path: link), name: "serial:port")
    device.unplug()
    #expect(unsafe unlink(link) == 0)
    guard case .failed(let reason) = await send(5, at: clock.now, markers) else { throw Absent() }
    #expect(reason.contains(link))
    guard case .failed = await send(5, at: clock.now, markers) else { throw Absent() }
    let other = try ListeningDevice()
    try #require(unsafe symlink(other.path, link) == 0)
    guard case .sent = await send(6, at: clock.now, markers) else { throw Absent() }
    #expect(await other.bytes(2).map(\.byte) == [6, 0])
    markers.close()
    other.unplug()
  }

  @Test("A port that cannot be opened is refused before anything is sent", arguments: ["/nowhere/port", "/dev/null"])
  func refused(path: String) async {
    await #expect(throws: SensorError.self) {
      try await SerialMarkers.open(SerialMarkers.Settings(path: path), name: "serial:\(path)")
    }
  }

  private struct Absent: Error {}
}

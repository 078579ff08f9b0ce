import Basics
import Bundles
import Quantities
import Study
import Synchronization
import TestSupport
import Testing

@testable import Pages

@Suite("What happens to a page")
struct PageIncidentTests {
  private final class Told: Sendable {
    let events = Mutex<[PageIncident]>([])
  }

  private let told = Told()
  private let page: ParticipantPage

  init() {
    page = ParticipantPage(phrases: Phrases()) { [told] event in
      if case .happened(let incident) = event { told.events.withLock { $0.append(incident) } }
    }
  }

  /// Tells of a window, as the page of a client does.
  private func tell(
    client: Int, origin: Double = 1_795_000_000_000.25, isVisible: Bool = true, isFullScreen: Bool = false
  ) -> UInt32 {
    let message: JSONValue = [
      "kind": "window", "client": .integer(client), "at_ms": 1234.5, "visible": .bool(isVisible), "focused": true,
      "fullScreen": .bool(isFullScreen), "ratio": 1.5, "width": 1280, "height": 800, "origin": .number(origin),
    ]
    return page.take(message.encoded())
  }

  private var incidents: [PageIncident] { told.events.withLock { $0 } }

  @Test("A window that is hidden, seen again, and leaves the full screen is told of once each")
  func changes() {
    _ = page.open()
    for (isVisible, isFullScreen) in [(true, true), (false, true), (false, true), (true, true), (true, false)] {
      #expect(tell(client: 1, isVisible: isVisible, isFullScreen: isFullScreen) == 204)
    }
    #expect(incidents == [.fullScreenEntered, .hidden, .visible, .fullScreenLeft])
  }

  @Test("Another document is a page that was loaded again, or that of a browser that was started again")
  func documents() {
    for client in 1...4 {
      _ = page.open()
      if client == 4 { page.restart() }
      #expect(tell(client: client, origin: [1, 1, 2, 3][client - 1]) == 204)
    }
    #expect(incidents == [.reloaded, .browserRestarted])
  }

  @Test("A connection that ends is told of, unless another page has taken its place")
  func ends() {
    let first = page.open()
    let second = page.open()
    page.close(first)
    #expect(incidents == [])
    page.close(second)
    #expect(incidents == [.lost])
  }

  @Test("A page that sends nothing for 15 s does not respond, unless it is hidden, until it sends again")
  func hangs() {
    let clock = HandClock()
    let page = ParticipantPage(clock: clock, phrases: Phrases()) { [told] event in
      if case .happened(let incident) = event { told.events.withLock { $0.append(incident) } }
    }
    func ping() -> UInt32 { page.take(JSONValue.object(["kind": "clock", "client": 1, "ping": 1]).encoded()) }
    _ = page.open()
    for _ in 0..<3 {
      clock.advance(by: .seconds(10))
      #expect(ping() == 204)
      page.watch()
    }
    clock.advance(by: .seconds(16))
    page.watch()
    page.watch()
    #expect(incidents == [.unresponsive])
    #expect(ping() == 204 && incidents == [.unresponsive, .responsive])
    let hidden: JSONValue = [
      "kind": "window", "client": 1, "at_ms": 1, "visible": false, "focused": true, "fullScreen": false, "ratio": 1,
      "width": 1280, "height": 800, "origin": 1,
    ]
    #expect(page.take(hidden.encoded()) == 204)
    clock.advance(by: .seconds(60))
    page.watch()
    #expect(incidents == [.unresponsive, .responsive, .hidden])
  }
}

import Basics
import Bundles
import Quantities
import Session
import Study
import Synchronization
import TestSupport
import Testing

@testable import Pages

@Suite("A participant who wants to stop")
struct WishToStopTests {
  private final class Taken: Sendable {
    let inputs = Mutex<[ParticipantInput]>([])
  }

  private let taken = Taken()
  private let page = ParticipantPage(phrases: Phrases()) { _ in }

  init() {
    page.answer(to: { [taken] input, _ in taken.inputs.withLock { $0.append(input) } })
    _ = page.open()
  }

  private func show(_ number: Int, isPaused: Bool = false) {
    var screen = Screen.check(number, look: .cross)
    screen.isPaused = isPaused
    page.show(screen)
  }

  private func stop() -> UInt32 {
    page.take(JSONValue.object(["kind": "stop", "client": 1, "made_ms": 1]).encoded())
  }

  private var pauses: Int { taken.inputs.withLock { inputs in inputs.count { $0 == .awaitsDecision } } }

  @Test("is not forgotten with the screen: each further one is to be paused until the operator goes on after a pause")
  func screens() {
    show(1)
    #expect(stop() == 204 && page.asksToStop && pauses == 1)
    show(2)
    #expect(page.asksToStop && pauses == 2)
    page.showWait()
    show(3)
    #expect(page.asksToStop && pauses == 3)
    show(3, isPaused: true)
    #expect(page.asksToStop && pauses == 3)
    show(3)
    #expect(!page.asksToStop)
    show(4)
    #expect(pauses == 3)
  }

  @Test("can say so while the operator does something, and is asked no more at the end")
  func phrases() throws {
    func shown() throws -> String {
      let stream = page.open()
      let connection = try unsafe #require(OpaquePointer(bitPattern: 8))
      // The first line is about the page, and the second is the screen; the connection is not used before a third.
      return (1...2).map { _ in
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
          let portion = unsafe stream.take(into: UnsafeMutableRawBufferPointer(buffer), for: connection)
          if case .bytes(let taken) = portion {
            count = taken
          }
        }
        return String(decoding: bytes, as: UTF8.self)
      }[1]
    }
    show(1)
    page.showWait()
    #expect(try shown().contains(#""stop":true"#))
    page.show(.declined)
    #expect(try shown().contains(#""stop":false"#))
    page.show(.end)
    #expect(try shown().contains(#""help":false"#))
  }
}

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Pages

@Suite("Streams that other threads feed")
struct StreamTests {
  /// A site whose streams are fed by a thread each, at moments that differ, and then end.
  private final class Feeder: PageSite {
    let name = "participant"
    func watch() {}
    static let lines = 20
    private let rounds = Atomic(0)

    func file(at path: String) -> PageFile? { nil }
    func take(_ message: [UInt8]) -> UInt32 { 204 }
    func close(_ stream: PageStream) {}

    func open() -> PageStream {
      let stream = PageStream(first: Array("first".utf8))
      let round = rounds.add(1, ordering: .relaxed).newValue
      Thread.detachNewThread {
        for line in 1...Self.lines {
          // From no pause at all to one in which the server surely waits.
          usleep(UInt32(round * line % 7 * 40))
          stream.tell(Array("line \(line)".utf8))
          stream.show(Array("screen \(line)".utf8))
        }
        stream.end(Array("last".utf8))
      }
      return stream
    }
  }

  @Test("Every line arrives, the last screen too, and then the end, whenever they come")
  func feeds() throws {
    let server = try PageServer(Feeder())
    defer { server.close() }
    let run = try Program.run(
      Repository.python, ["\(Repository.root)/Tests/PagesTests/streams.py", "\(server.port)", server.token.text, "400"])
    #expect(run.status == 0 && run.output == "400 whole\n", "\(run.output)\(run.error)")
  }
}

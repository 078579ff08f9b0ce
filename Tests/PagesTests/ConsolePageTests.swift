import Basics
import Foundation
import Glibc
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Pages

@Suite("The operator's console")
struct ConsolePageTests {
  @Test("A window is told what the session says, word for word, and the session what the window asks, and nobody else")
  func relays() async throws {
    let scratch = try ScratchFolder()
    let path = scratch["s.socket"]
    let listener = try LocalSocket.listen(at: path)
    let words = #"<img src=x onerror=alert(1)> “\#u{202E}” \n"#
    let heard = Mutex<[UInt8]>([])
    let page = ConsolePage {
      [.init(socket: path, participant: "p1", study: "S", since: WallTime(milliseconds: 0))]
    }
    let server = try PageServer(page)
    defer { server.close() }
    let session = FakeSession(listener, says: words, heard: { bytes in heard.withLock { $0 += bytes } })
    WaitingThread.start { session.run() }
    let run = try Program.run(
      Repository.python, ["\(Repository.root)/Tests/PagesTests/console.py", "\(server.port)", server.token.text])
    #expect(run.status == 0, "\(run.error)")
    let told = try JSONReader.read(Array(run.output.utf8)).value
    #expect(told["participant"]?.integer == 404 && told["stranger"]?.integer == 401 && told["foreign"]?.integer == 403)
    #expect(told["unknown"] == 204 && told["early"] == 404 && told["other"] == 409, "\(run.output)")
    #expect(told["watch"] == 204 && told["ask"] == 204)
    let lines = told["lines"]?.array ?? []
    let kinds = lines.compactMap { $0["kind"]?.string }
    #expect(kinds == ["page", "left", "watched", "said", "state", "left"], "\(run.output)")
    #expect(lines.first { $0["kind"] == "said" }?["said"]?.array?.first?["text"]?.string == words)
    let asked = try JSONReader.read(heard.withLock { $0 }).value
    #expect(asked["do"] == "pause" && asked["id"] == 1)
  }

  @Test("A window that asks for more than is done at a time is refused, and told each answer under its number")
  func requests() async throws {
    let gate = Gate()
    let page = ConsolePage(find: { [] }) { request in
      await gate.pass()
      return request["what"] ?? .null
    }
    let stream = page.open()
    func ask(_ id: Int) -> UInt32 {
      page.take((["kind": "work", "client": 1, "id": .integer(id), "what": .string("w\(id)")] as JSONValue).encoded())
    }
    #expect((1...20).map(ask) == Array(repeating: 204, count: 16) + Array(repeating: 429, count: 4))
    #expect(page.take(Array(#"{"kind":"work","client":1,"what":"w"}"#.utf8)) == 400)
    gate.open()
    page.close(stream)
    #expect(ask(21) == 409)
  }

  /// A session that says something, waits to be asked something, and ends.
  private final class FakeSession: Sendable {
    private let listener: Descriptor
    private let words: String
    private let heard: @Sendable ([UInt8]) -> Void

    init(_ listener: consuming Descriptor, says words: String, heard: @escaping @Sendable ([UInt8]) -> Void) {
      self.listener = listener
      self.words = words
      self.heard = heard
    }

    func run() {
      let alarm = Alarm()
      while true {
        _ = alarm.wait([(listener.number, Int(POLLIN))])
        guard let connection = LocalSocket.accept(from: listener) else { continue }
        let said: [JSONValue] = [
          ["kind": "said", "said": [["text": .string(words)]]], ["kind": "state", "now_s": 1],
        ]
        for line in said { _ = LocalSocket.send((line.encoded() + [10])[...], on: connection) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = alarm.wait([(connection.number, Int(POLLIN))])
        if case .bytes(let count) = connection.read(into: &buffer) { heard(Array(buffer.prefix(count))) }
        return
      }
    }
  }
}

import Basics
import Foundation
import Study
import Synchronization
import TestSupport
import Testing

@testable import Pages

@Suite("The server of a page, asked by a client of another language")
struct ServerTests {
  private let page: ParticipantPage
  private let server: PageServer

  init() throws {
    page = ParticipantPage(phrases: Phrases()) { _ in }
    server = try PageServer(page)
  }

  /// A request, as `ask.py` reads it.
  private func request(
    _ path: String, _ method: String = "GET", body: String = "", times: Int = 1, lines: Int = 0,
    fields changed: [String: String?] = [:]
  ) -> JSONValue {
    var fields: [String: String] = ["Host": "127.0.0.1:\(server.port)"]
    if path.hasPrefix("/participant") { fields["Authorization"] = "Bearer \(server.token.text)" }
    if method == "POST" {
      fields["Origin"] = "http://127.0.0.1:\(server.port)"
      fields["Content-Type"] = "application/json"
    }
    for (name, value) in changed { fields[name] = value }
    return [
      "path": .string(path), "method": .string(method), "body": .string(body), "times": .integer(times),
      "lines": .integer(lines),
      "fields": .array(fields.sorted { $0.key < $1.key }.map { [.string($0.key), .string($0.value)] }),
    ]
  }

  private func ask(_ requests: [JSONValue]) throws -> [JSONValue] {
    let run = try Program.run(
      Repository.python, ["\(Repository.root)/Tests/PagesTests/ask.py", "\(server.port)"],
      input: requests.map { $0.text() + "\n" }.joined())
    #expect(run.status == 0, "\(run.error)")
    return try run.output.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)).value }
  }

  private func statuses(_ requests: [JSONValue]) throws -> [Int?] { try ask(requests).map { $0["status"]?.integer } }

  @Test("A request of another host, origin, site, method or token is refused, and so is a message that is none")
  func refusals() throws {
    defer { server.close() }
    let (stream, message) = ("/participant/stream", "/participant/message")
    let other = "http://evil.example"
    let wanted: [(JSONValue, Int)] = [
      (request("/"), 200), (request("/nothing"), 404), (request("/a/../page.js"), 404),
      (request("/", fields: ["Host": "localhost:\(server.port)"]), 200),
      (request("/", fields: ["Host": "evil.example:\(server.port)"]), 403),
      (request("/", fields: ["Host": "127.0.0.1"]), 403), (request("/", fields: ["Origin": other]), 403),
      (request("/", fields: ["Origin": "null"]), 403), (request("/", fields: ["Sec-Fetch-Site": "cross-site"]), 403),
      (request("/", fields: ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"]), 200),
      (request("/", fields: ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"]), 403),
      (request(stream, fields: ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"]), 403),
      (request("/", "POST", body: "{}"), 405), (request("/", "DELETE"), 405),
      (request(stream, fields: ["Authorization": nil]), 401),
      (request(stream, fields: ["Authorization": "Bearer \(String(repeating: "0", count: 32))"]), 401),
      (request(stream, fields: ["Authorization": "Basic \(server.token.text)"]), 401),
      (request(message), 405), (request(message, "POST", body: "{}", fields: ["Origin": nil]), 403),
      (request(message, "POST", body: "{}", fields: ["Origin": other]), 403),
      (request(message, "POST", body: "{}", fields: ["Authorization": nil]), 401),
      (request(message, "POST", body: "{}", fields: ["Content-Type": "text/plain"]), 415),
      (request(message, "POST", body: "{}"), 400), (request(message, "POST", body: "no JSON"), 400),
      (request(message, "POST", body: "[", times: 16_000), 400),
      (request(message, "POST", body: "x", times: 1 + 4 << 20), 413),
      (request(message, "POST", body: #"{"kind":"help","client":7,"made_ms":1}"#), 409),
      (request("/", fields: ["X-Long": String(repeating: "x", count: 40_000)]), 431),
    ]
    let given = try statuses(wanted.map(\.0))
    for (index, (request, status)) in wanted.enumerated() {
      #expect(given[index] == status, "\(request.text())")
    }
  }

  @Test("A file of the page is protected, has its digest as address, and nothing in it is from elsewhere")
  func files() throws {
    defer { server.close() }
    let answer = try #require(try ask([request("/")]).first)
    let page = try #require(answer["content"]?.string)
    let policy = try #require(answer["fields"]?["content-security-policy"]?.string)
    #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("http"))
    #expect(answer["fields"]?["cross-origin-opener-policy"]?.string == "same-origin")
    #expect(answer["fields"]?["cache-control"]?.string == "no-store")
    let parts = page.matches(of: /\/a\/[0-9a-f]{64}\.(?:css|js)/).map { String($0.output) }
    #expect(parts.count == 2)
    var whole = page.utf8.count
    var waiting = parts
    var known: Set<String> = []
    while let path = waiting.popLast() {
      guard known.insert(path).inserted else { continue }
      let part = try #require(try ask([request(path)]).first)
      let content = try #require(part["content"]?.string)
      #expect(part["fields"]?["cache-control"]?.string?.contains("immutable") == true)
      #expect(path.contains("\(SHA256.digest(of: Array(content.utf8)))") || content.utf8.count >= 20_000)
      #expect(!content.contains("{{") && !content.contains("innerHTML") && !content.contains("localStorage"))
      waiting += content.matches(of: /\/a\/[0-9a-f]{64}\.js/).map { String($0.output) }
      whole += Int(part["fields"]?["content-length"]?.string ?? "") ?? 0
    }
    #expect(known.count == 6 && whole < 80_000, "\(whole) bytes")
  }

  @Test("A stream begins with the page's words and the screen that is shown; the one before is told that it is taken")
  func streams() throws {
    defer { server.close() }
    let answers = try ask([request("/participant/stream", lines: 2), request("/participant/stream", lines: 2)])
    for (index, answer) in answers.enumerated() {
      let lines = try (answer["content"]?.string ?? "").split(separator: "\n").map {
        try JSONReader.read(Array($0.utf8)).value
      }
      #expect(lines.first?["kind"]?.string == "page" && lines.first?["client"]?.integer == index + 1)
      #expect(lines.last?["kind"]?.string == "screen" && lines.last?["title"]?.string == Phrases()[.wait])
    }
  }

  @Test("A server that is closed leaves no stream open, and answers nobody")
  func closes() async throws {
    let running = Task.detached { [server] in
      try Program.run(
        "curl",
        [
          "-sN", "-H", "Authorization: Bearer \(server.token.text)",
          "http://127.0.0.1:\(server.port)/participant/stream",
        ])
    }
    while page.clients == 0 { await Task.yield() }
    page.end()
    server.close()
    let run = try await running.value
    #expect(run.status == 0 && run.output.hasSuffix("{\"kind\":\"over\"}\n"), "\(run.output)")
    #expect(try statuses([request("/")]) == [0])
  }

  @Test("A client that does not read is cut off, and costs nothing")
  func silent() {
    defer { server.close() }
    let stream = page.open()
    let screen = [UInt8](repeating: 32, count: 4096)
    for _ in 0..<10_000 { stream.show(screen) }
    for _ in 0..<100 { stream.tell(screen) }
    #expect(stream.isOver)
  }
}

package import Basics
import Session
import Synchronization

/// The operator's console: the sessions that run on this computer, one of which each of its windows shows.
///
/// It holds nothing of a session: it passes on what the session's own process says at its socket, and what the operator asks.
package final class ConsolePage: PageSite {
  /// A session that runs.
  package struct Running: Hashable, Sendable {
    let socket: String
    let participant: String
    let study: String
    let since: WallTime

    package init(socket: String, participant: String, study: String, since: WallTime) {
      (self.socket, self.participant, self.study, self.since) = (socket, participant, study, since)
    }

    /// What a page names it by: the socket's own name, which is a digest.
    var name: String { Folder.name(of: socket) }
  }

  private struct Client {
    let number: Int
    let stream: PageStream
    var link: SessionLink?
    var requests = 0
  }

  private struct State {
    var clients: [Client] = []
    var running: [Running] = []
    var last = 0
  }

  /// How many lines wait for a window that reads slowly, beside the newest state.
  private static let maxLines = 2000

  private let state = Mutex(State())
  /// How many requests of a window may be under way.
  private static let maxRequests = 16

  private let find: @Sendable () -> [Running]
  private let documents: ConsoleDocuments
  private let work: @Sendable (JSONValue) async -> JSONValue

  /// A console.
  ///
  /// - Parameters:
  ///   - find: finds the sessions that run.
  ///   - documents: what windows show in frames or play.
  ///   - work: answers what a window asks for beside sessions.
  package init(
    find: @escaping @Sendable () -> [Running], documents: ConsoleDocuments = ConsoleDocuments(),
    work: @escaping @Sendable (JSONValue) async -> JSONValue = { _ in .null }
  ) {
    (self.find, self.documents, self.work) = (find, documents, work)
  }

  package var name: String { "console" }

  package func file(at path: String) -> PageFile? { PageFiles.console[path] ?? documents[path] }

  package func open() -> PageStream {
    let running = find()
    return state.withLock { state in
      state.last += 1
      state.running = running
      let first: JSONValue = [
        "kind": "page", "client": .integer(state.last), "sessions": .array(running.map(\.json)),
      ]
      let stream = PageStream(first: first.encoded(), maxLines: Self.maxLines)
      state.clients.append(Client(number: state.last, stream: stream))
      return stream
    }
  }

  package func close(_ stream: PageStream) {
    let link = state.withLock { state -> SessionLink? in
      guard let index = state.clients.firstIndex(where: { $0.stream === stream }) else { return nil }
      return state.clients.remove(at: index).link
    }
    link?.close()
  }

  /// Tells the windows which sessions run, where that has changed.
  package func watch() {
    let running = find()
    let streams = state.withLock { state -> [PageStream] in
      guard state.running != running else { return [] }
      state.running = running
      return state.clients.map(\.stream)
    }
    let line: JSONValue = ["kind": "sessions", "sessions": .array(running.map(\.json))]
    for stream in streams { stream.tell(line.encoded()) }
  }

  package func take(_ bytes: [UInt8]) -> UInt32 {
    guard let value = try? JSONReader.read(bytes).value, let number = value["client"]?.integer,
      value["kind"]?.string != nil
    else { return 400 }
    guard let client = state.withLock({ $0.clients.first { $0.number == number } }) else { return 409 }
    if value["kind"] == "leave" {
      client.link?.close()
      return 204
    }
    if value["kind"] == "work" { return perform(value, for: client) }
    guard value["kind"] == "watch" else {
      guard let link = client.link else { return 404 }
      return link.send(value) ? 204 : 404
    }
    return watch(value["session"]?.string, for: client)
  }

  /// Answers a request in its own time.
  private func perform(_ request: JSONValue, for client: Client) -> UInt32 {
    guard let id = request["id"]?.integer else { return 400 }
    let hasRoom = change(client) { client in
      client.requests += 1
      return client.requests <= Self.maxRequests
    }
    guard hasRoom ?? false else {
      _ = change(client) { $0.requests -= 1 }
      return 429
    }
    Task { [self] in
      let answer = await work(request)
      client.stream.tell((["kind": "worked", "id": .integer(id), "answer": answer] as JSONValue).encoded())
      _ = change(client) { $0.requests -= 1 }
    }
    return 204
  }

  private func change<Value>(_ client: Client, _ body: (inout Client) -> Value) -> Value? {
    state.withLock { state in
      guard let index = state.clients.firstIndex(where: { $0.number == client.number }) else { return nil }
      return body(&state.clients[index])
    }
  }

  private func watch(_ session: String?, for client: Client) -> UInt32 {
    guard let session else { return 400 }
    client.link?.close()
    // One that was started a moment ago is not in the list yet.
    guard let running = find().first(where: { $0.name == session }),
      let link = SessionLink(to: running.socket, for: session, on: client.stream)
    else {
      client.stream.tell((["kind": "left", "session": .string(session)] as JSONValue).encoded())
      return 204
    }
    _ = change(client) { $0.link = link }
    return 204
  }
}

extension ConsolePage.Running {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "participant": .string(participant), "study": .string(study),
      "since": .string("\(since)"),
    ]
  }
}

import Basics
import Glibc
import Quantities
import Synchronization

/// The thread that folds what a session does, and speaks with its consoles.
final class DeskThread: Sendable {
  /// How often consoles are told what changed, at most.
  private static let pace = Duration.milliseconds(40)
  /// The same where there is none: what happened is only folded.
  private static let quietPace = Duration.milliseconds(500)
  private static let maxClients = 16
  /// How many bytes wait for a console; one that leaves more does not read.
  private static let maxPending = 8 << 20
  /// How long the last lines are offered.
  private static let farewell = Duration.seconds(1)

  private let listener: Descriptor
  private let desk: SessionDesk

  init(_ listener: consuming Descriptor, _ desk: SessionDesk) {
    self.listener = listener
    self.desk = desk
  }

  /// A console.
  private final class Client {
    let connection: Descriptor
    let number: Int
    var lines = LineSplitter()
    var pending: ArraySlice<UInt8> = []
    /// Whether it wants to operate, and whether it does.
    var wantsToOperate = false
    var operates = false
    /// The waveform that it draws.
    var wave: (sensor: String, quantity: String)?
    var isGone = false

    init(_ connection: consuming Descriptor, _ number: Int) {
      self.connection = connection
      self.number = number
    }

    func put(_ line: JSONValue) {
      pending += line.encoded() + [UInt8(ascii: "\n")]
      if pending.count > DeskThread.maxPending { isGone = true }
    }

    /// Sends what the connection takes.
    func send() {
      guard let count = LocalSocket.send(pending, on: connection) else {
        isGone = true
        return
      }
      pending = pending.dropFirst(count)
      if pending.isEmpty { pending = [] }
    }
  }

  /// Replies to wishes, which come from other threads.
  private let replies = Mutex<[(client: Int, line: JSONValue)]>([])

  func run() {
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    let clock = desk.clock
    var state = DeskState(zero: clock.now, labels: desk.labels)
    var clients: [Client] = []
    var count = 0
    var due = clock.now
    var end: Moment?
    while true {
      let news = desk.news
      if news.isOver { end = end ?? clock.now.advanced(by: Self.farewell) }
      let isDone = news.isOver && !news.hasFacts && clients.allSatisfy(\.pending.isEmpty)
      if isDone || end.map({ $0 <= clock.now }) ?? false { return }
      let limit: Int32 = news.hasFacts || news.isOver ? Int32(max(0, clock.now.duration(to: due).milliseconds)) + 1 : -1
      let found = desk.wait(
        [(listener.number, clients.count < Self.maxClients ? Int(POLLIN) : 0)]
          + clients.map { ($0.connection.number, Int(POLLIN) | ($0.pending.isEmpty ? 0 : Int(POLLOUT))) },
        milliseconds: limit)
      for (client, events) in zip(clients, found.dropFirst()) where events & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        read(client)
      }
      for reply in takeReplies() { clients.first { $0.number == reply.client }?.put(reply.line) }
      let now = clock.now
      if due <= now || news.isOver, desk.news.hasFacts {
        tell(&state, clients, at: now)
        due = now.advanced(by: clients.isEmpty ? Self.quietPace : Self.pace)
      }
      while found[0] != 0, clients.count < Self.maxClients, let connection = LocalSocket.accept(from: listener) {
        count += 1
        let client = Client(connection, count)
        tell(&state, clients, at: now)
        for line in state.everything(at: now) { client.put(line) }
        clients.append(client)
      }
      for client in clients where !client.pending.isEmpty && !client.isGone { client.send() }
      if clients.contains(where: \.isGone) { clients.removeAll(where: \.isGone) }
      choose(among: clients)
    }
  }

  private func takeReplies() -> [(client: Int, line: JSONValue)] {
    replies.withLock { replies in
      defer { replies = [] }
      return replies
    }
  }

  /// Folds what happened, and tells the consoles.
  private func tell(_ state: inout DeskState, _ clients: [Client], at now: Moment) {
    for fact in desk.takeFacts() { state.take(fact) }
    let (lines, waves) = state.update(at: now, isRead: !clients.isEmpty)
    for client in clients {
      for line in lines { client.put(line) }
      for wave in waves where client.wave.map({ $0 == (wave.sensor, wave.format.type.identifier) }) ?? false {
        client.put(wave.json)
      }
    }
  }

  /// The first console that wants to operates; the others read only, until it is gone.
  private func choose(among clients: [Client]) {
    if !clients.contains(where: \.operates), let next = clients.first(where: \.wantsToOperate) {
      next.operates = true
      next.put(["kind": "role", "operates": true])
      next.send()
    }
    desk.setOperator(clients.contains(where: \.operates))
  }

  private func read(_ client: Client) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !client.isGone {
      switch client.connection.read(into: &buffer) {
      case .bytes(let count):
        var lines: [[UInt8]] = []
        client.lines.take(buffer.span.extracting(0..<count)) { _, line in
          guard let line else {
            client.isGone = true
            return
          }
          lines.append(line.indices.map { line[$0] })
        }
        for line in lines { take(line, from: client) }
      case .nothing: return
      case .end, .failed: client.isGone = true
      }
    }
  }

  private func take(_ line: [UInt8], from client: Client) {
    guard let value = try? JSONReader.read(line).value, let message = DeskMessage(value, at: desk.clock.now) else {
      client.put(["kind": "refused", "reason": "this is not a message of a console"])
      return
    }
    switch message.content {
    case .hello(let wantsToOperate):
      client.wantsToOperate = wantsToOperate
      if !wantsToOperate { client.operates = false }
      client.put(["kind": "role", "operates": .bool(client.operates)])
    case .wave(let sensor, let quantity):
      client.wave = (sensor, quantity)
      client.put(message.reply(nil))
    case .wish, .answer:
      guard client.operates else {
        return client.put(message.reply("another console operates this session; this one only reads"))
      }
      perform(message, of: client)
    }
  }

  private func perform(_ message: DeskMessage, of client: Client) {
    switch message.content {
    case .hello, .wave: break
    case .answer(let number, let answer):
      client.put(message.reply(desk.settle(number, answer) ? nil : "the station does not ask this any more"))
    case .wish(let kind):
      let number = client.number
      desk.take(
        SessionDesk.Wish(kind: kind) { [self] refusal in
          replies.withLock { $0.append((number, message.reply(refusal))) }
          desk.wake()
        })
    }
  }
}

/// What a console sends: one JSON object a line.
struct DeskMessage {
  enum Content {
    /// It is there, and wants to operate or only to read.
    case hello(wantsToOperate: Bool)
    /// It draws this waveform from now on.
    case wave(sensor: String, quantity: String)
    case wish(SessionDesk.Wish.Kind)
    /// It answers the question of that number.
    case answer(Int, StationAnswer)
  }

  /// The number that its reply has.
  let number: Int
  let content: Content

  /// The longest remark, in characters.
  static let maxRemark = 500
  /// How long before it was sent a remark may have begun.
  static let maxAge = 600_000.0

  /// Reads a message; `nil` for anything else.
  init?(_ value: JSONValue, at now: Moment) {
    number = value["id"]?.integer ?? 0
    switch value["do"]?.string {
    case "hello": content = .hello(wantsToOperate: value["operates"]?.bool ?? false)
    case "wave":
      guard let sensor = value["sensor"]?.string, let quantity = value["quantity"]?.string else { return nil }
      content = .wave(sensor: sensor, quantity: quantity)
    case "annotate":
      guard let text = value["text"]?.string?.prefix(Self.maxRemark), !text.allSatisfy(\.isWhitespace) else {
        return nil
      }
      let age = min(max(value["age_ms"]?.number ?? 0, 0), Self.maxAge)
      content = .wish(.command(.annotate(String(text), at: now.advanced(by: .zero - Duration(milliseconds: age)))))
    case "press":
      guard let screen = value["screen"]?.integer else { return nil }
      content = .wish(.press(screen: screen))
    case "answer":
      guard let question = value["question"]?.integer, let answer = value["answer"]?.string.flatMap(StationAnswer.init)
      else { return nil }
      content = .answer(question, answer)
    case let name?:
      guard let command = OperatorCommand(name: name) else { return nil }
      content = .wish(.command(command))
    case nil: return nil
    }
  }

  /// What it is answered with: that it was done, or why not.
  func reply(_ refusal: String?) -> JSONValue {
    refusal.map { ["kind": "refused", "id": .integer(number), "reason": .string($0)] }
      ?? ["kind": "done", "id": .integer(number)]
  }
}

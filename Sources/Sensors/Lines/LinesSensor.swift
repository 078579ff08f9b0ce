import Basics
package import Quantities

/// A sensor that sends lines of text, each a JSON object or a CSV row with `hr`, `rr`, `contact` and optionally `t`.
///
///     {"hr": 72, "rr": [830.1, 841], "contact": true}        72,830.1;841        12.5,72,830.1
///
/// Any device without built-in support can be connected in this way. A line that cannot be parsed is reported with its
/// number and skipped. A separate thread reads. When samples arrive faster than the consumer takes them, the earlier
/// ones are kept and the others counted; a file on disk waits instead. A source that exceeds its ``ReadingPace`` is
/// throttled. TCP servers and Unix sockets are reconnected after a loss, with pauses of 0.5, 1, 2, 4 and then 8 s; any
/// other source ends for good.
///
/// Beats are placed by the chain of their intervals (`BeatChain`), or, where a line has a `t` in seconds of the
/// sender's own clock, by that: `t` is the instant of the line's last beat, and only has to run forward.
package struct LinesSensor: Sensor {
  /// The source that its samples are attributed to.
  package let source: SensorSource

  private let target: LineTarget
  private let capacity: Int
  private let pace: ReadingPace
  private let tally = SampleTally()

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - target: the source of the lines.
  ///   - latency: the source's minimum delay from a beat to the line's arrival.
  ///   - name: the sensor as the operator named it; derived from the target if `nil`.
  ///   - capacity: the maximum number of samples that wait for the consumer; at least 16.
  ///   - pace: the maximum reading rate.
  ///   - location: its place on the body.
  package init(
    _ target: LineTarget, latency: Duration = .zero, name: String? = nil, capacity: Int = SampleQueue.maxSamples,
    pace: ReadingPace = .standard, location: Metadata.SensorLocation? = nil
  ) {
    precondition(capacity >= 16, "a queue needs room for 16 readings at least")
    self.target = target
    self.capacity = capacity
    self.pace = pace
    source = SensorSource(name: name ?? "lines:\(target)", latency: latency, location: location)
  }

  /// The number of samples received over all streams.
  package var readingsTaken: Int? { tally.count }

  /// How far the reading is behind.
  package var backlog: ReadingBacklog? { tally.backlog }

  /// Connects, and delivers what arrives.
  ///
  /// When the consumer is cancelled, the stream ends after the connection is closed and a child process has exited.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let settings = SensorThread.Settings(
      clock: clock, tally: tally, capacity: capacity, reconnects: target.reconnects)
    let patience = target.reconnects ? ConnectionFeed.patience : nil
    let (target, latency, budget) = (target, source.latency, ReadingBudget.of(pace))
    return ConnectionFeed.events(
      of: .init(
        name: "\(target)", patience: patience, settings: settings,
        opening: .onThread { thread, lines throws(LinkFault) in
          try LinesConnection(target, latency: latency, budget: budget, on: thread).read(&lines)
        }))
  }
}

extension SensorTransport {
  private static let lineForms: [Form] = [
    .init(text: "lines:-", meaning: "lines such as 72,812 or {\"hr\": 72, \"rr\": [812]} on standard input"),
    .init(text: "lines:PATH", meaning: "lines from a FIFO or a character device"),
    .init(text: "lines:tcp://HOST:PORT", meaning: "lines from a TCP server"),
    .init(text: "lines:unix:PATH", meaning: "lines from a Unix socket"),
    .init(text: "lines:exec:COMMAND", meaning: "lines that a command prints"),
  ]

  fileprivate static let linesAdvice = "say one of \(lineForms.map(\.text).joined(separator: ", "))"

  /// Lines of text from any source; an IPv6 address has `[…]` around it.
  static let lines = SensorTransport(
    scheme: "lines",
    rest: .required(reason: "where the lines come from is missing", advice: linesAdvice),
    forms: lineForms,
    nicknames: [
      .init(
        address: "lines:exec:COMMAND", words: ["python", "python3", "command", "program", "script", "sh", "bash"],
        isVague: true), .init(address: "lines:-", words: ["stdin", "pipe"], isVague: true),
    ]
  ) { reader, rest throws(SensorError) in
    let (target, options) = try reader.split(rest ?? "", known: AddressReader.commonOptions)
    return (try reader.lines(target), try reader.latency(options), try reader.location(options["location"]))
  }
}

extension LineTarget: SensorKind {
  /// Creates the sensor, after the check that a path is none of an ordinary file.
  package func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    try check(name)
    return LinesSensor(self, latency: latency, name: name, location: location)
  }

  package var remedy: String {
    if case .exec = self { return "run the command in a shell to see that it works" }
    return "see that the program that sends the lines runs"
  }

  package var sendsLines: Bool { true }

  /// Rejects missing paths, folders, and ordinary files, which would deliver all samples with one arrival time.
  private func check(_ name: String) throws(SensorError) {
    let path: String
    switch self {
    case .path(let named): path = named
    // `lines:- < FILE` is an ordinary file as well.
    case .standardInput: path = "/dev/stdin"
    case .tcp, .unix, .exec: return
    }
    switch PathKind(path) {
    case nil:
      if self == .standardInput { return }
      throw SensorError("use the sensor", name, "there is no “\(path.visible)”")
    case .folder: throw SensorError("use the sensor", name, "“\(path.visible)” is a folder")
    case .file:
      throw SensorError(
        "use the sensor", name,
        "\(self == .standardInput ? "standard input" : "“\(path.visible)”") is an ordinary file, whose samples would all "
          + "arrive at once", advice: "use replay:\(self == .standardInput ? "FILE" : path), which keeps their pace")
    case .stream: return
    }
  }
}

extension AddressReader {
  fileprivate func lines(_ target: String) throws(SensorError) -> LineTarget {
    func rest(_ prefix: String) -> String? {
      target.hasPrefix(prefix) ? String(target.dropFirst(prefix.count)) : nil
    }
    if target == "-" { return .standardInput }
    if let address = rest("tcp://") { return try tcp(address) }
    if target.hasPrefix("tcp:") { throw error("a TCP server needs two slashes", "say lines:tcp://HOST:PORT") }
    if let path = rest("unix:") {
      guard !path.isEmpty else { throw error("the socket's path is missing", "say lines:unix:PATH") }
      return .unix(path: path)
    }
    if let command = rest("exec:") {
      guard !command.allSatisfy(\.isWhitespace), !command.contains("\0") else {
        throw error("the command is missing", "say lines:exec:COMMAND")
      }
      return .exec(command: command)
    }
    guard !target.isEmpty, !target.contains("\0") else {
      throw error("where the lines come from is missing", SensorTransport.linesAdvice)
    }
    return .path(target)
  }

  private func tcp(_ address: String) throws(SensorError) -> LineTarget {
    guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]), port > 0
    else { throw error("the port is missing or not from 1 to 65535", "say lines:tcp://HOST:PORT") }
    var host = String(address[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      throw error("an IPv6 address needs brackets", "say lines:tcp://[\(host)]:\(port)")
    }
    guard !host.isEmpty else { throw error("the host is missing", "say lines:tcp://HOST:PORT") }
    return .tcp(host: host, port: port)
  }
}

/// The source of a stream of lines.
package enum LineTarget: Hashable, Sendable, CustomStringConvertible {
  case standardInput
  /// A file, a FIFO or a character device.
  case path(String)
  /// A TCP server.
  case tcp(host: String, port: UInt16)
  /// A server at a Unix socket.
  case unix(path: String)
  /// The output of a command run by `/bin/sh`.
  case exec(command: String)

  /// The target as written after `lines:`.
  package var description: String {
    switch self {
    case .standardInput: "-"
    case .path(let path): path
    case .tcp(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    case .exec(let command): "exec:\(command)"
    }
  }

  /// Whether a broken connection is retried.
  var reconnects: Bool {
    switch self {
    case .tcp, .unix: true
    case .standardInput, .path, .exec: false
    }
  }
}

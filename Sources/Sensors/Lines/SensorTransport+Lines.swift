import Basics
package import Quantities

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

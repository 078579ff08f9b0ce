import Basics
import Glibc
import Quantities

/// Whether a path exists.
func isThere(_ path: String) -> Bool { Folder.exists(path) }

/// The kind of file at a path.
enum PathKind {
  case file, folder
  /// A FIFO, a device or a socket.
  case stream

  /// Looks the path up; `nil` if it does not exist.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .stream
      }
  }
}

/// A reader of sensor addresses.
struct AddressReader {
  let text: String
  /// What messages say was tried.
  var action = "use the sensor"

  /// The parts of a parsed address.
  typealias Reading = (SensorAddress.Kind, latency: Duration, location: Metadata.SensorLocation?)

  func read() throws(SensorError) -> Reading {
    let kind = text.prefix { $0 != ":" }
    let rest = kind.endIndex < text.endIndex ? String(text[text.index(after: kind.endIndex)...]) : nil
    switch (kind, rest) {
    case ("simulated", let options): return try simulated(options)
    case ("replay", .some(let rest)):
      let (path, options) = try split(rest, known: Self.commonOptions + ["source", "block_ms"])
      guard !path.isEmpty else { throw error("the file is missing", "say replay:FILE") }
      let block = try options["block_ms"].map { text throws(SensorError) in try number("block_ms", text, 1...1000) }
      return (
        .replay(path: path, source: options["source"], block: block.map { Duration(milliseconds: $0) }),
        try latency(options), try location(options["location"])
      )
    case ("lines", .some(let rest)):
      let (target, options) = try split(rest, known: Self.commonOptions)
      return (.lines(try lines(target)), try latency(options), try location(options["location"]))
    case ("camera", .some(let rest)): return try camera(rest, isFilm: false)
    case ("video", .some(let rest)): return try camera(rest, isFilm: true)
    case ("bluetooth", let rest): return try bluetooth(rest)
    case ("serial", .some(let rest)): return try serial(rest)
    case ("microphone", let rest): return try microphone(rest)
    case ("lsl", .some(let rest)): return try lsl(rest)
    case ("lsl", nil): throw error("the stream is missing", "say lsl:NAME; station sensors lists streams")
    case ("keys", nil): return (.keys, .zero, nil)
    case ("camera", nil): throw error("the camera is missing", "say camera:/dev/video0")
    case ("video", nil): throw error("the film is missing", "say video:FILE")
    case ("serial", nil): throw error("the port is missing", "say serial:/dev/ttyACM0?kind=pulsesensor")
    case ("replay", nil): throw error("the file is missing", "say replay:FILE")
    case ("lines", nil):
      throw error("where the lines come from is missing", "say one of \(forms("lines:"))")
    default: throw unknown(String(kind))
    }
  }

  // MARK: Kinds

  private func unknown(_ kind: String) -> SensorError {
    if let near = Spelling.nearest(
      to: kind,
      among: ["simulated", "replay", "lines", "bluetooth", "camera", "video", "serial", "microphone", "lsl", "keys"])
    {
      return error("there is no such kind of sensor", "did you mean “\(near)”?")
    }
    if kind == "-" || text.hasPrefix("tcp:") || text.hasPrefix("unix:") || text.hasPrefix("exec:") || kind.contains("/")
    {
      return error("there is no such kind of sensor", "did you mean “lines:\(text)”?")
    }
    if let meant = SensorAddress.meant(by: kind) {
      return error("there is no such kind of sensor", "did you mean “\(meant)”?")
    }
    return error("there is no such kind of sensor", SensorAddress.advice)
  }

  private func lines(_ target: String) throws(SensorError) -> LineTarget {
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
      throw error("where the lines come from is missing", "say one of \(forms("lines:"))")
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

  // MARK: Options

  private func simulated(_ options: String?) throws(SensorError) -> Reading {
    var settings = SimulatedSensor.Settings()
    var type: QuantityType?
    var (sampling, leads) = (250.0, 1)
    var place: Metadata.SensorLocation?
    guard let options else { return (.simulated(settings), .zero, nil) }
    var seen: Set<String> = []
    for option in options.split(separator: ",", omittingEmptySubsequences: false) {
      let (name, value) = try pair(option, known: Self.simulatedOptions, &seen)
      switch name {
      case "seed":
        guard let seed = UInt64(value) else { throw error("the seed “\(value)” is no whole number from 0", nil) }
        settings.heart.seed = seed
      case "quantity": type = try quantity(value)
      case "rate": settings.heart.rate = try number(name, value, 35...180)
      case "variability": settings.heart.variability = try number(name, value, 0...3)
      case "respiration_hz": settings.heart.respiration = try number(name, value, 0.1...0.5)
      case "response": settings.heart.response = try number(name, value, -30...30)
      case "dropouts": settings.dropouts = try number(name, value, 0...0.8)
      case "losses": settings.losses = try number(name, value, 0...0.8)
      case "location": place = try location(value)
      case "sampling_hz": sampling = try number(name, value, 1...10_000)
      case "channels": leads = Int(try number(name, value, 1...64))
      default: settings.latency = Duration(milliseconds: try number(name, value, 0...60_000))
      }
    }
    let kind: SensorAddress.Kind
    let (what, known): (String, [String])
    switch type {
    case let type? where type.isWaveform:
      let waveform = SimulatedWaveform.Settings(
        type, heart: settings.heart, rate: sampling, channels: leads, latency: settings.latency)
      (kind, what, known) = (.simulatedWaveform(waveform), type.channelName, Self.waveformOptions)
    case let type? where !QuantityType.ofHeartbeats.contains(type):
      let channel = SimulatedChannel.Settings(type, seed: settings.heart.seed, latency: settings.latency)
      (kind, what, known) = (.simulatedChannel(channel), type.channelName, Self.channelOptions)
    default: (kind, what, known) = (.simulated(settings), "a simulated strap", Self.strapOptions)
    }
    if let other = Self.simulatedOptions.first(where: { seen.contains($0) && !known.contains($0) }) {
      throw error("\(other) is no option of \(what)", "the options are \(known.joined(separator: ", "))")
    }
    return (kind, settings.latency, place)
  }

  private static let channelOptions = ["quantity", "seed", "latency_ms", "location"]
  private static let heartOptions = channelOptions + ["rate", "variability", "respiration_hz", "response"]
  private static let strapOptions = heartOptions + ["dropouts", "losses"]
  private static let waveformOptions = heartOptions + ["sampling_hz", "channels"]
  private static let simulatedOptions = strapOptions + ["sampling_hz", "channels"]

  func quantity(_ name: String) throws(SensorError) -> QuantityType {
    if let type = QuantityType(channel: name) { return type }
    let known = QuantityType.usual.map(\.channelName)
    throw error(
      "there is no quantity type “\(name)”",
      Spelling.advice(for: name, among: known, aliases: QuantityType.recordable.map(\.channelName)))
  }

  static let commonOptions = ["latency_ms", "location"]

  /// Splits the options off the end: the text after the last question mark, if it looks like `name=value` with a known
  /// or nearly known name.
  func split(_ rest: String, known: [String]) throws(SensorError) -> (String, [String: String]) {
    guard let mark = rest.lastIndex(of: "?") else { return (rest, [:]) }
    let parts = rest[rest.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let isMeant = parts.allSatisfy { part in
      guard let equals = part.firstIndex(of: "=") else { return false }
      return Spelling.nearest(to: String(part[..<equals]), among: known) != nil
    }
    guard isMeant || rest.hasPrefix("tcp://") else { return (rest, [:]) }
    var options: [String: String] = [:]
    var seen: Set<String> = []
    for part in parts {
      let (name, value) = try pair(part, known: known, &seen)
      options[name] = value
    }
    return (String(rest[..<mark]), options)
  }

  private func pair(_ text: Substring, known: [String], _ seen: inout Set<String>) throws(SensorError) -> (
    String, String
  ) {
    guard let equals = text.firstIndex(of: "=") else {
      throw error(
        "the option “\(text)” has no value", "the options are \(known.joined(separator: ", ")), each with = and a value"
      )
    }
    let name = String(text[..<equals])
    guard known.contains(name) else {
      throw error("there is no option “\(name)”", Spelling.advice(for: name, among: known))
    }
    guard seen.insert(name).inserted else { throw error("the option “\(name)” is given twice", nil) }
    return (name, String(text[text.index(after: equals)...]))
  }

  func latency(_ options: [String: String]) throws(SensorError) -> Duration {
    guard let value = options["latency_ms"] else { return .zero }
    return Duration(milliseconds: try number("latency_ms", value, 0...60_000))
  }

  func location(_ name: String?) throws(SensorError) -> Metadata.SensorLocation? {
    guard let name else { return nil }
    if let location = Metadata.SensorLocation(name: name) { return location }
    let known = Metadata.SensorLocation.allCases.map(\.name)
    throw error("the location is “\(name)”", Spelling.advice(for: name, among: known))
  }

  func number(_ name: String, _ value: String, _ range: ClosedRange<Double>) throws(SensorError) -> Double {
    func plain(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }
    guard let number = Double(value), range.contains(number) else {
      throw error(
        "\(name) is “\(value)”", "it is a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
    }
    return number
  }

  private func forms(_ prefix: String) -> String {
    SensorAddress.forms.filter { $0.hasPrefix(prefix) }.joined(separator: ", ")
  }

  func error(_ reason: String, _ advice: String?) -> SensorError {
    SensorError(action, text, reason, advice: advice)
  }
}

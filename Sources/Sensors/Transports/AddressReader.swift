import Basics
import CSystem
import Glibc
import Quantities

/// A reader of the options of addresses.
struct AddressReader: Sendable {
  let text: String
  /// What messages say was tried.
  var action = "use the sensor"

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

  /// Splits an option into its name and its value.
  func pair(_ text: Substring, known: [String], _ seen: inout Set<String>) throws(SensorError) -> (
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

  func error(_ reason: String, _ advice: String?) -> SensorError {
    SensorError(action, text, reason, advice: advice)
  }
}

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

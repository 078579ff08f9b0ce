import Basics
package import Quantities

/// Which sensor, as the operator writes it.
///
/// | form | sensor |
/// |---|---|
/// | `simulated` | a simulated strap |
/// | `simulated:seed=7,rate=64` | one with options: `seed`, `rate` (beats a minute), `variability` (1 is usual), `respiration_hz`, `response` (beats a minute), `dropouts` and `losses` (parts of the time), `latency_ms`, `location` |
/// | `replay:FILE` | a recording: NDJSON, CSV or a bundle's `heart.json` |
/// | `replay:FILE#RECORDER` | what one of several recorders of a `heart.json` recorded |
/// | `lines:-` | standard input |
/// | `lines:PATH` | a FIFO or a character device; an ordinary file is replayed instead |
/// | `lines:tcp://HOST:PORT` | a TCP server; `[…]` around an IPv6 address |
/// | `lines:unix:PATH` | a Unix socket |
/// | `lines:exec:COMMAND` | a command's output |
///
/// Behind `replay:` and `lines:` options may stand at the very end, as in a URL: `?latency_ms=2300` is what the sensor
/// takes from a beat to its delivery, `location=chest` where on the body it sits, and `source=NAME` chooses among several sources of a recording; several are joined by `&`. A
/// question mark that is not followed by one of these is part of the path or command. Relative paths start at the
/// current folder.
package struct SensorAddress: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of sensor.
  package enum Kind: Hashable, Sendable {
    /// A simulated strap.
    case simulated(SimulatedSensor.Settings)
    /// A recording; `source` where one of several was chosen. The path still holds the recorder that follows a `#`.
    case replay(path: String, source: String?)
    /// Lines of text.
    case lines(LineTarget)
  }

  /// As it was written: the sensor's name in results.
  package let text: String

  /// What it stands for.
  package let kind: Kind

  /// What the sensor takes from a beat to its delivery.
  package let latency: Duration

  /// Where on the body the sensor sits; `nil` where nobody says.
  package let location: Metadata.SensorLocation?

  /// Every form, as a message lists them.
  package static let forms = [
    "simulated[:seed=N,rate=BPM,…]", "replay:FILE[#RECORDER]", "lines:-", "lines:PATH", "lines:tcp://HOST:PORT",
    "lines:unix:PATH", "lines:exec:COMMAND",
  ]

  /// Reads an address.
  ///
  /// - Throws: ``SensorError`` with a suggestion.
  package init(_ text: String) throws(SensorError) {
    self.text = text
    (kind, latency, location) = try AddressReader(text: text).read()
  }

  /// As it was written.
  package var description: String { text }

  /// The file and the recorder that a `#` after it chooses; the mark may also be part of a file's name.
  private static func split(_ path: String) -> (file: String, recorder: String?) {
    guard let mark = path.lastIndex(of: "#"), !isThere(path) else { return (path, nil) }
    let file = String(path[..<mark])
    return isThere(file) ? (file, String(path[path.index(after: mark)...])) : (path, nil)
  }

  /// The sensor; what does not have to wait is checked: whether a file is there, and whether a recording is one.
  ///
  /// - Throws: ``SensorError`` for a file that is missing or holds no recording.
  package func sensor() throws(SensorError) -> any Sensor {
    switch kind {
    case .simulated(let settings): return SimulatedSensor(settings, name: text, location: location)
    case .replay(let path, let source):
      let (file, recorder) = Self.split(path)
      return try ReplaySensor(
        file, choosing: source, recorder: recorder, latency: latency, name: text, location: location)
    case .lines(let target):
      try check(target)
      return LinesSensor(target, latency: latency, name: text, location: location)
    }
  }

  /// Refuses what cannot deliver samples as they happen.
  private func check(_ target: LineTarget) throws(SensorError) {
    let path: String
    switch target {
    case .path(let named): path = named
    // `lines:- < FILE` is the same file.
    case .standardInput: path = "/dev/stdin"
    case .tcp, .unix, .exec: return
    }
    switch PathKind(path) {
    case nil:
      if target == .standardInput { return }
      throw SensorError("use the sensor", text, "there is no “\(path.visible)”")
    case .folder: throw SensorError("use the sensor", text, "“\(path.visible)” is a folder")
    case .file:
      throw SensorError(
        "use the sensor", text,
        "\(target == .standardInput ? "standard input" : "“\(path.visible)”") is an ordinary file, whose samples would all "
          + "arrive at once", advice: "use replay:\(target == .standardInput ? "FILE" : path), which keeps their pace")
    case .stream: return
    }
  }
}

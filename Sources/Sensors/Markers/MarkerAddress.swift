import Basics
package import Quantities

/// Where markers go, as the operator writes it: `serial:PORT`, `audio:CHANNEL`, or `lsl`.
///
/// `serial:` may end with `?baud=N` and `pulse_ms=MS`: the speed in bits per second, and how long a code stays before it is
/// reset to 0; after `pulse_ms=0` it stays until the next one. Channels are counted from 1. `lsl:NAME` names the stream, which is
/// otherwise called `station`.
package struct MarkerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of outputs.
  package enum Kind: Hashable, Sendable {
    /// Codes at a serial port.
    case serial(SerialMarkers.Settings)
    /// A pulse on an output channel of the speaker.
    case audio(channel: Int)
    /// Texts on a stream of the Lab Streaming Layer.
    case lsl(stream: String)
  }

  /// The address as written; it names the output in results.
  package let text: String
  /// The kind of output and its options.
  package let kind: Kind

  /// All forms, for messages.
  package static let forms = ["serial:PORT[?baud=N&pulse_ms=MS]", "audio:CHANNEL", "lsl[:NAME]"]

  /// Parses an address.
  ///
  /// - Throws: ``SensorError`` with a suggestion.
  package init(_ text: String) throws(SensorError) {
    self.text = text
    let reader = AddressReader(text: text, action: "send markers to")
    let name = text.prefix { $0 != ":" }
    let rest = name.endIndex < text.endIndex ? String(text[text.index(after: name.endIndex)...]) : ""
    switch name {
    case "serial": kind = try .serial(reader.serialMarkers(rest))
    case "audio":
      guard let channel = Int(rest), (1...64).contains(channel) else {
        throw reader.error(
          rest.isEmpty ? "the channel is missing" : "there is no channel “\(rest)”",
          "channels are counted from 1, as in audio:3")
      }
      kind = .audio(channel: channel)
    case "lsl":
      guard !rest.contains("\0"), !text.hasSuffix(":") else {
        throw reader.error("the stream's name is missing", "say lsl:NAME")
      }
      kind = .lsl(stream: rest.isEmpty ? "station" : rest)
    default:
      throw reader.error("there is no such kind of output", "the forms are \(Self.forms.joined(separator: ", "))")
    }
  }

  /// The address as written.
  package var description: String { text }
}

extension AddressReader {
  fileprivate func serialMarkers(_ rest: String) throws(SensorError) -> SerialMarkers.Settings {
    let (path, options) = try split(rest, known: ["baud", "pulse_ms"])
    guard !path.isEmpty, !path.contains("\0") else { throw error("the port is missing", "say serial:/dev/ttyUSB0") }
    var settings = SerialMarkers.Settings(path: path)
    if let text = options["baud"] { settings.baud = try baud(text) }
    if let text = options["pulse_ms"] {
      settings.pulse = Duration(milliseconds: try number("pulse_ms", text, 0...1000))
    }
    return settings
  }
}

/// A device that takes codes at set moments.
package protocol CodeOutput: Sendable {
  /// Its address, as the operator wrote it.
  var name: String { get }

  /// Has a code sent at a moment, or now where that has passed.
  ///
  /// - Parameters:
  ///   - code: the code.
  ///   - moment: when.
  ///   - report: told once what became of it, on any thread.
  /// - Returns: the number with which ``cancel(_:)`` takes it back.
  func send(_ code: UInt8, at moment: Moment, report: @escaping @Sendable (MarkerDelivery) -> Void) -> Int

  /// Takes a code back that was not sent yet, of which nothing is reported then.
  func cancel(_ number: Int)

  /// Closes the device; codes that wait are not sent.
  func close()
}

/// What became of a marker.
package enum MarkerDelivery: Hashable, Sendable {
  /// It was handed over at a moment between the beginning and the end of the system call.
  case sent(MeasuredMoment)
  /// It could not be sent.
  case failed(reason: String)
}

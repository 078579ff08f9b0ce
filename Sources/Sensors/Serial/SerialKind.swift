import Quantities

/// A kind of device at a serial port: what it sends, and how it is read.
package struct SerialKind: Hashable, Sendable {
  /// The commands of a device that waits for some.
  struct Commands: Sendable {
    /// What is written before it begins, with a pause after each.
    let setUp: [UInt8]
    let begin: UInt8
    let end: UInt8
  }

  /// Its name in addresses.
  package let name: String
  /// What it sends, for messages.
  let title: String
  /// The words that people use for it.
  var words: Set<String> = []
  /// The usual speed, in bits per second.
  var baud = 115_200
  /// The usual number of frames per second, in Hz.
  let rate: Double
  /// Whether it samples evenly, so that silence is a fault.
  var isEven = true
  /// The options of its addresses besides those of all kinds.
  var options: [String] = []
  /// Reads its options.
  var read: @Sendable (AddressReader, [String: String], inout SerialSettings) throws(SensorError) -> Void = {
    _, _, _ throws(SensorError) in
  }
  /// The channels that the device delivers, as far as they are known.
  let channels: @Sendable (SerialSettings) -> [Channel]
  /// What reads its bytes, from the delay of an event to the arrival of its bytes, and the number of lines over earlier
  /// connections.
  let decoder: @Sendable (SerialSettings, _ latency: Duration, _ lines: Int) -> any DeviceDecoder
  /// Its commands, where it waits for some.
  var commands: @Sendable (SerialSettings) -> Commands? = { _ in nil }
  /// Whether bytes are such as it sends.
  let sends: @Sendable ([UInt8]) -> Bool

  /// Whether both have the same name.
  package static func == (one: SerialKind, other: SerialKind) -> Bool { one.name == other.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The kind of device that sends such bytes; `nil` for bytes of none, as at a wrong speed.
  static func sending(_ bytes: [UInt8]) -> SerialKind? { all.first { $0.sends(bytes) } }

  /// Whether a decoder finds lines or packets of a length in most of some bytes; by chance it finds a few.
  static func isMostly(_ bytes: [UInt8], of length: Int, by decoder: any DeviceDecoder) -> Bool {
    var decoder = decoder
    _ = decoder.take(bytes.span, arrived: Moment(nanoseconds: 0))
    return decoder.unitCount >= 4 && decoder.unitCount * 3 > bytes.count / length
  }
}

extension SerialKind {
  /// The kinds; a later one is recognised where no earlier one is.
  package static let all = [pulseSensor, nonin, bitalino, lines]

  package init?(named name: String) {
    guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  /// Lines of JSON or CSV, as `lines:` reads them.
  package static let lines = SerialKind(
    name: "lines", title: "lines", rate: 50, isEven: false, channels: { _ in [] },
    decoder: { LineDecoder(latency: $1, after: $2) },
    sends: { bytes in
      let text = bytes.count { 0x20..<0x7F ~= $0 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
      return !bytes.isEmpty && text > bytes.count * 9 / 10 && bytes.contains(0x0A)
    })
}

/// What reads the bytes of a device: a state machine without input or output.
protocol DeviceDecoder: Sendable {
  /// The number of whole lines, packets or frames so far.
  var unitCount: Int { get }

  /// Decodes what the next bytes complete.
  mutating func take(_ bytes: Span<UInt8>, arrived: Moment) -> Decoded
}

extension LineDecoder: DeviceDecoder {
  var unitCount: Int { lineCount }
}

import Basics
import Glibc
import Quantities

/// What makes a record that record: the bytes of which its UUID is made.
///
/// Importing a file twice, or a later export that holds the same records, gives the same UUIDs. Where the file has
/// identifiers, they decide: two records with two identifiers are two. Where it has none, records that say the same are
/// the same record: a list of files has no other way to tell a thing that happened twice from one that is told twice.
struct Identity {
  private(set) var bytes: [UInt8]

  /// An identity among those of one kind of file: `open-mhealth/1`.
  init(_ kind: String) {
    bytes = []
    append(kind)
  }

  /// An identity that begins with these bytes.
  init(beginning bytes: [UInt8]) { self.bytes = bytes }

  /// Takes a text, with its length, so that no two sequences of texts are the same bytes.
  mutating func append(_ text: String?) {
    append(Int64(text?.utf8.count ?? -1))
    bytes += (text ?? "").utf8
  }

  /// Takes a number.
  mutating func append(_ number: Int64) { append(UInt64(bitPattern: number)) }

  /// Takes a value, of which nine digits count: what went from one unit to another and back differs in the last bits.
  mutating func append(_ value: Double) {
    guard value.magnitude > 1e-200, value.magnitude < 1e200 else { return append((value + 0).bitPattern) }
    var exponent = Int(log10(value.magnitude).rounded(.down)) - 8
    var digits = Self.scaled(value, exponent)
    // The logarithm next to a power of ten may lie on its other side, and digits may round up to one.
    if digits.magnitude < 100_000_000 {
      exponent -= 1
      digits = Self.scaled(value, exponent)
    } else if digits.magnitude > 999_999_999 {
      exponent += 1
      digits = Self.scaled(value, exponent)
    }
    append(digits)
    append(Int64(exponent))
  }

  private static func scaled(_ value: Double, _ exponent: Int) -> Int64 {
    let scale = Decimal.power(exponent.magnitude)
    return Int64((exponent < 0 ? value * scale : value / scale).rounded())
  }

  /// Takes the participant whose sample it is; nothing where that is not known.
  mutating func append(participant: String?) {
    guard let participant else { return }
    append("participant")
    append(participant)
  }

  /// Takes a time, or that there is none.
  mutating func append(_ time: WallTime?) { append(time?.microseconds ?? .min) }

  /// Takes a device.
  mutating func append(_ device: Device?) {
    guard let device else { return append(nil as String?) }
    let parts = [
      device.name, device.manufacturer, device.model, device.hardwareVersion, device.firmwareVersion,
      device.softwareVersion, device.localIdentifier, device.udiDeviceIdentifier,
    ]
    for part in parts { append(part) }
  }

  private mutating func append(_ word: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
  }

  /// The first sixteen bytes of its SHA-256.
  var digest: [UInt8] { Array(SHA256.digest(of: bytes).bytes.prefix(16)) }

  /// A UUID of version 8 (RFC 9562): the time in milliseconds since 1970, then 74 bits of the SHA-256.
  ///
  /// What happened together lies together in every index of UUIDs, so that a large import writes few of its pages again.
  func uuid(at time: WallTime) -> UUID {
    let words = SHA256.digest(of: bytes).words
    let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
    return UUID(derivedFrom: milliseconds << 16 | words.high & 0x0FFF, words.low)
  }

  /// A UUID of version 8 of 122 bits of its SHA-256, for what has an identifier under which its time may be corrected.
  var uuid: UUID {
    let words = SHA256.digest(of: bytes).words
    return UUID(derivedFrom: words.high, words.low)
  }
}

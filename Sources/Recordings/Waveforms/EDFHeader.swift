import Basics
import Quantities

/// The header of a file in the European Data Format, or in its form with samples of 24 bits, BDF.
///
/// B. Kemp and J. Olivan, "European data format 'plus' (EDF+), an EDF alike standard format for the exchange of physiological
/// data", Clinical Neurophysiology 114:1755, 2003: texts of fixed width for the file and then for each signal. A file's
/// records all have the same layout: for each signal its samples, little-endian.
struct EDFHeader: Hashable, Sendable {
  /// A signal, or the annotations that are stored like one.
  struct Signal: Hashable, Sendable {
    let label: String
    let unit: String
    /// The number of samples in each record.
    let samples: Int
    /// Converts a number of the file to the unit: the value is `scale * number + offset`.
    let scale: Double
    let offset: Double
    /// Whether the header says what its numbers are in the unit; the value is the number where it does not.
    let hasRange: Bool
    /// Where its samples begin in a record, in bytes.
    let place: Int
    var isAnnotation: Bool { label == "EDF Annotations" || label == "BDF Annotations" }
  }

  /// Whether samples have 24 bits.
  let isWide: Bool
  /// `EDF`, `EDF+`, `BDF` or `BDF+`.
  let name: String
  /// What stands for a missing sample; `nil` where there is nothing for it: EDF has none, and ours is the lowest number.
  let missing: Int?
  /// Whether the times of records are in their annotations, since there are pauses between them.
  let hasPauses: Bool
  /// The number of bytes before the first record.
  let size: Int
  /// Whether it says that the data are simulated, as exports of the station do.
  let isSimulated: Bool
  /// The number of records; `nil` if the recording was not closed.
  let records: Int?
  /// The duration of a record, in seconds.
  let duration: Double
  let signals: [Signal]
  /// The size of a record, in bytes.
  let recordSize: Int

  /// The size of a sample, in bytes.
  var width: Int { isWide ? 3 : 2 }

  /// The mark of simulated data, as a word among those of the patient and the recording.
  static let simulationMark = Source.simulationMark.replacing(" ", with: "_")

  /// The part of the header that says how long it is.
  static let fixedSize = 256

  /// Whether a file begins as such a header does; some programs pad its texts with zeros, not with spaces.
  static func isBeginning(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 8 && bytes[0] == UInt8(ascii: "0") && bytes[1..<8].allSatisfy { $0 == 0x20 || $0 == 0 }
      || bytes.starts(with: [0xFF] + Array("BIOSEMI".utf8))
  }

  /// The size of the whole header, by its first ``fixedSize`` bytes.
  static func size(_ bytes: [UInt8]) throws(SignalFault) -> Int {
    guard bytes.count >= fixedSize else { throw .cut(needed: fixedSize) }
    let count = try Fields(bytes).integer(252, 4, "number of signals")
    guard (1...SignalFile.maxSignals).contains(count) else { throw .signalCount(count) }
    return fixedSize * (count + 1)
  }

  /// Reads a header; more bytes may follow it.
  init(_ bytes: [UInt8]) throws(SignalFault) {
    let needed = try Self.size(bytes)
    guard bytes.count >= needed else { throw .cut(needed: needed) }
    let fields = Fields(bytes)
    let count = needed / Self.fixedSize - 1
    let said = try fields.integer(184, 8, "size of the header")
    guard said == needed else { throw .headerSize(said: said, needed: needed) }
    isWide = bytes[0] == 0xFF
    let kind = fields.text(192, 44)
    hasPauses = kind.hasPrefix("EDF+D") || kind.hasPrefix("BDF+D")
    missing = !isWide && fields.text(88, 80).contains(" X X station") ? Int(Int16.min) : nil
    isSimulated = fields.text(8, 160).split(separator: " ").contains { $0 == Self.simulationMark }
    name = (isWide ? "BDF" : "EDF") + (kind.hasPrefix("EDF+") || kind.hasPrefix("BDF+") ? "+" : "")
    let said2 = try fields.integer(236, 8, "number of records")
    records = said2 >= 0 ? said2 : nil
    duration = try fields.number(244, 8, "duration of a record")
    guard (0...86_400).contains(duration) else { throw .field("duration of a record", fields.text(244, 8)) }
    size = needed
    var signals: [Signal] = []
    var place = 0
    // The fields of all signals follow each other, not those of one signal.
    func start(_ before: Int, _ width: Int, _ index: Int) -> Int { Self.fixedSize + before * count + width * index }
    for index in 0..<count {
      let label = fields.text(start(0, 16, index), 16)
      let samples = try fields.integer(start(216, 8, index), 8, "number of samples")
      guard (0...SignalFile.maxPiece).contains(samples) else {
        throw .field("number of samples", fields.text(start(216, 8, index), 8))
      }
      let isAnnotation = label == "EDF Annotations" || label == "BDF Annotations"
      var (scale, offset, hasRange) = (1.0, 0.0, true)
      if !isAnnotation {
        let physical = (
          try fields.number(start(104, 8, index), 8, "physical minimum"),
          try fields.number(start(112, 8, index), 8, "physical maximum")
        )
        let digital = (
          try fields.number(start(120, 8, index), 8, "digital minimum"),
          try fields.number(start(128, 8, index), 8, "digital maximum")
        )
        guard digital.0 != digital.1 else {
          throw .field("digital maximum above the minimum", fields.text(start(128, 8, index), 8))
        }
        hasRange = physical.0 != physical.1
        if hasRange {
          scale = (physical.1 - physical.0) / (digital.1 - digital.0)
          offset = physical.0 - scale * digital.0
        }
      }
      signals.append(
        Signal(
          label: label, unit: fields.text(start(96, 8, index), 8), samples: samples, scale: scale, offset: offset,
          hasRange: hasRange, place: place))
      place += samples * (isWide ? 3 : 2)
      guard place <= SignalFile.maxPiece else { throw .tooLarge(bytes: place) }
    }
    guard place > 0 else { throw .noSamples }
    self.signals = signals
    recordSize = place
  }

  /// Texts of fixed width.
  private struct Fields {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func text(_ start: Int, _ width: Int) -> String {
      let field = bytes[start..<start + width]
      // Not always ASCII: a µ is in Latin 1.
      let text = String(String.UnicodeScalarView(field.map { Unicode.Scalar($0 == 0 ? 0x20 : $0) }))
      return text.trimmed
    }

    func integer(_ start: Int, _ width: Int, _ name: String) throws(SignalFault) -> Int {
      let text = text(start, width)
      guard let number = Int(text) else { throw .field(name, text) }
      return number
    }

    func number(_ start: Int, _ width: Int, _ name: String) throws(SignalFault) -> Double {
      let text = text(start, width)
      guard let number = Double(text), number.isFinite else { throw .field(name, text) }
      return number
    }
  }
}

extension String {
  /// The text without spaces at its ends.
  var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}

import Basics
import Quantities

/// A sample as engines store it: text that repeats from sample to sample is replaced with the number of a `Name`.
package struct SampleRow: Hashable {
  var uuid: UUID
  /// The number of the quantity type, or of heartbeat series.
  var type: Int64
  /// The start in ticks.
  var start: Int64
  /// The duration in ticks; never negative.
  var lasting: Int64
  /// The value in the type's canonical unit; of a heartbeat series, the number of beats.
  var value: Double
  /// The number of the source revision.
  var source: Int64
  /// The number of the device; 0 for none.
  var device: Int64
  /// The metadata's canonical JSON; `nil` for none.
  var metadata: String?
  /// The encoded beats of a heartbeat series.
  var beats: [UInt8]?

  var end: Int64 { start + lasting }
}

extension SampleRow {
  /// The columns of a row, in the order in which `SQLRow.sample` reads them.
  static let columns = "uuid, type, started, lasting, value, source, device, metadata, beats"
}

extension SQLRow {
  package var sample: SampleRow {
    SampleRow(
      uuid: uuid(0), type: integer(1), start: integer(2), lasting: integer(3), value: double(4), source: integer(5),
      device: integer(6), metadata: text(7), beats: bytes(8))
  }
}

/// The remains of a deleted sample, from which change queries report the deletion.
struct Tombstone: Hashable {
  var uuid: UUID
  var type: Int64
  var start: Int64
  var lasting: Int64
  var source: Int64

  var end: Int64 { start + lasting }
}

/// A change of a sample.
enum RowChange {
  case added(SampleRow)
  case deleted(Tombstone)
}

/// Identifies the kept version of a sample that has a sync identifier.
struct SyncKey: Hashable {
  var type: Int64
  /// The number of the source's bundle identifier: two sources may use the same sync identifiers.
  var owner: Int64
  var identifier: String
}

/// The kinds of text that have numbers.
enum NameKind: Int64, CaseIterable {
  case type = 1
  case source = 2
  case device = 3
  case owner = 4
  /// An undefined type that a client has requested.
  case askedType = 5
}

/// The permissions of one client for one type.
struct Grant: Hashable {
  var share: Int64
  var read: Int64
}

/// An entry of the audit.
struct AuditRow: Hashable {
  var uuid: UUID
  /// The time in ticks.
  var time: Int64
  var client: String
  var action: String
  var type: Int64
  var outcome: String
}

/// A comparison operator.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
  /// Less than.
  case less = "<"
  /// Less than or equal to.
  case atMost = "<="
  case equal = "=="
  /// Not equal to.
  case unequal = "!="
  /// Greater than or equal to.
  case atLeast = ">="
  /// Greater than.
  case more = ">"

  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .atMost: left <= right
    case .equal: left == right
    case .unequal: left != right
    case .atLeast: left >= right
    case .more: left > right
    }
  }
}

/// The encoding of metadata and heartbeats in a row.
enum Coding {
  /// Canonical JSON, identical for equal metadata; times and quantities are objects, and no metadata gives `nil`.
  static func text(_ metadata: Metadata) -> String? {
    guard !metadata.isEmpty else { return nil }
    let values: [String: JSONValue] = metadata.values.mapValues { value in
      switch value {
      case .string(let text): .string(text)
      case .number(let number): .number(number)
      case .bool(let bool): .bool(bool)
      case .date(let time): .object(["date": .string(time.precise)])
      case .quantity(let quantity): .object(["value": .number(quantity.value), "unit": .string("\(quantity.unit)")])
      }
    }
    return JSONValue.object(values).text()
  }

  /// Decodes the output of ``text(_:)``.
  static func metadata(_ text: String?) throws -> Metadata {
    guard let text else { return Metadata() }
    guard let object = try? JSONReader.read(Array(text.utf8)).value.object else { throw damaged(text) }
    return try Metadata(
      object.mapValues { value in
        if let text = value.string { return .string(text) }
        if let number = value.number { return .number(number) }
        if let bool = value.bool { return .bool(bool) }
        if let time = value["date"]?.string.flatMap({ WallTime($0) }) { return .date(time) }
        if let number = value["value"]?.number, let unit = value["unit"]?.string {
          return .quantity(try Quantity(number, Unit(unit)))
        }
        throw damaged(text)
      })
  }

  /// Encodes each beat in eight bytes, little-endian: twice its nanoseconds since the start, plus one after a gap.
  static func bytes(_ beats: [HeartbeatSeries.Beat]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(beats.count * 8)
    for beat in beats {
      let number = UInt64(beat.timeSinceStart.nanoseconds) << 1 | (beat.isPrecededByGap ? 1 : 0)
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }
    return bytes
  }

  /// Decodes the output of ``bytes(_:)``.
  static func beats(_ bytes: [UInt8]) -> [HeartbeatSeries.Beat] {
    stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { place in
      let number = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64($1 * 8) }
      return HeartbeatSeries.Beat(
        timeSinceStart: .nanoseconds(Int64(number >> 1)), isPrecededByGap: number & 1 == 1)
    }
  }

  private static func damaged(_ text: String) -> StoreError {
    StoreError(.databaseInaccessible, "the store holds metadata that it never wrote, “\(text)”; rebuild it")
  }
}

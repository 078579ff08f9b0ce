import Basics
import Quantities

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

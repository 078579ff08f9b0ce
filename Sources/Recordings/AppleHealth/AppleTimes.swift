import Basics
import Quantities

/// Reads the export's times: `2016-01-01 00:05:00 +0100`.
///
/// The day and offset of the last one are kept, because nearly always the next one's are the same.
@safe
struct AppleTimes {
  private var day: (UInt64, UInt64) = (0, 0)
  private var midnight: Int64 = 0

  /// Reads a time; `nil` for any other text.
  mutating func read(_ text: UnsafePointer<CChar>) -> WallTime? {
    let bytes = unsafe text.bytes
    guard bytes.count == 25, unsafe bytes[10] == 0x20, unsafe bytes[13] == UInt8(ascii: ":"),
      unsafe bytes[16] == UInt8(ascii: ":"), unsafe bytes[19] == 0x20
    else { return nil }
    var day: (UInt64, UInt64) = (0, 0)
    for index in 0..<8 { day.0 = unsafe day.0 << 8 | UInt64(bytes[index]) }
    for index in 8..<10 { day.1 = unsafe day.1 << 8 | UInt64(bytes[index]) }
    for index in 20..<25 { day.1 = unsafe day.1 << 8 | UInt64(bytes[index]) }
    if day != self.day {
      let date = unsafe String(decoding: bytes[..<10], as: UTF8.self)
      let offset = unsafe String(decoding: bytes[20...], as: UTF8.self)
      guard let time = WallTime("\(date) 00:00:00\(offset)") else { return nil }
      midnight = time.microseconds
      self.day = day
    }
    guard let hour = unsafe Self.number(bytes, 11), let minute = unsafe Self.number(bytes, 14),
      let second = unsafe Self.number(bytes, 17), hour < 24, minute < 60, second <= 60
    else { return nil }
    return WallTime(microseconds: midnight + ((hour * 60 + minute) * 60 + second) * 1_000_000)
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int64? {
    let (tens, ones) = unsafe (bytes[position] &- UInt8(ascii: "0"), bytes[position + 1] &- UInt8(ascii: "0"))
    return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
  }
}

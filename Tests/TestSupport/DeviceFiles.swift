package import Basics

/// Files of sports watches and their programs: of other implementations, and short ones as texts.
package enum DeviceFiles: Sendable {
  /// The formats of which ``Peers`` wrote a file.
  package static let written = ["fit", "gpx", "tcx"]

  /// An activity of two minutes near 52.3 N, 4.9 E, as another implementation writes it.
  package static func bytes(_ format: String) throws -> [UInt8] {
    try File.contents(of: "\(Repository.root)/\(Peers.files)/activity.\(format)")
  }

  /// The heart rates and intervals of that activity as other implementations read them, by their names.
  package static func readings(_ format: String) throws -> [String: JSONValue] {
    let bytes = try File.contents(of: "\(Repository.root)/\(Peers.files)/devices.json")
    return try JSONReader.read(bytes).value[format]?.object ?? [:]
  }

  /// A Polar HRM file, with lines below `[HRData]`, as long as they are unless a length is given.
  package static func polarHRM(interval: Int, _ rows: [String], length: String? = nil) -> String {
    let seconds =
      interval == 238 ? rows.reduce(0) { $0 + (Int($1.prefix { $0.isNumber }) ?? 0) } / 1000 : interval * rows.count
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let whole = "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60)).0"
    return """
      [Params]\r
      Version=106\r
      Monitor=12\r
      SMode=111000100\r
      Date=20261120\r
      StartTime=10:00:00.0\r
      Length=\(length ?? whole)\r
      Interval=\(interval)\r
      \r
      [Note]\r
      Home to Work, Anna\r
      \r
      [HRData]\r

      """ + rows.map { $0 + "\r\n" }.joined()
  }

  /// A session of Polar Flow in CSV, with these heart rates.
  package static func polarFlow(date: String = "20-11-2026", _ rates: [String]) -> String {
    "Name,Sport,Date,Start time,Duration,Total distance (km),Average heart rate (bpm),Notes,Height (cm),Weight (kg),\n"
      + "Anna Test,RUNNING,\(date),10:00:00,00:02:00,1.5,70,\"Home, to Work\",170.0,60.0,\n"
      + "Sample rate,Time,HR (bpm),Speed (km/h),Pace (min/km),Cadence,Altitude (m),\n"
      + rates.enumerated().map { second, rate in
        let (minutes, seconds) = (second / 60, second % 60)
        return
          "\(second == 0 ? "1" : ""),00:0\(minutes):\(seconds < 10 ? "0" : "")\(seconds),\(rate),3.7,16:13,0,116,\n"
      }.joined()
  }

  /// The checksum of FIT files, bit by bit.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    return sum
  }

  /// A FIT file whose lengths and checksums are right again, whatever is in it.
  package static func mended(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 16 else { return bytes }
    var bytes = bytes
    // A header has a checksum of its own, or ends before it.
    let size = bytes[0] == 12 ? 12 : 14
    bytes[0] = UInt8(size)
    let length = UInt32(bytes.count - size - 2)
    for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    bytes.replaceSubrange(8..<12, with: Array(".FIT".utf8))
    func put(_ sum: UInt16, at place: Int) {
      (bytes[place], bytes[place + 1]) = (UInt8(truncatingIfNeeded: sum), UInt8(sum >> 8))
    }
    if size == 14 { put(checksum(bytes[..<12]), at: 12) }
    put(checksum(bytes[..<(bytes.count - 2)]), at: bytes.count - 2)
    return bytes
  }
}

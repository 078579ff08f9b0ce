import Basics
import Foundation
import TestSupport
import Testing

@testable import Recordings

/// Damaged files of devices: the reader answers every one of them with heart data or with a reason.
///
/// `STATION_FUZZ_CASES` says how many of each format, `STATION_FUZZ_SEED` which; `Scripts/fuzz recordings` sets them.
@Suite("Files of devices changed at random")
struct DeviceFuzzTests {
  @Test("No bytes make a reader fail", arguments: DeviceFormat.allCases)
  func mutations(format: DeviceFormat) throws {
    let environment = ProcessInfo.processInfo.environment
    let cases = environment["STATION_FUZZ_CASES"].flatMap { Int($0) } ?? 2000
    let seed = environment["STATION_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    let whole = try Self.bytes(format)
    var generator = SplitMix64(seed: seed)
    var (read, refused) = (0, 0)
    for number in 0..<cases {
      var bytes = whole
      for _ in 0...Int(generator.next() % 6) {
        let place = Int(generator.next() % UInt64(bytes.count))
        // Of half the files only bits change: what is shifted ends a binary file soon.
        switch number % 2 == 0 ? 4 : generator.next() % 5 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 30))
        default: bytes[place] ^= 1 << UInt8(generator.next() % 8)
        }
        if bytes.count < 20 { bytes = whole }
      }
      if number % 7 == 6 { bytes = Array(bytes.prefix(Int(generator.next() % UInt64(bytes.count)))) }
      // With a wrong checksum nothing of a FIT file would be looked at.
      if format == .fit, number % 5 > 0 { bytes = DeviceFiles.mended(bytes) }
      var reader = DeviceFileReader(format)
      do throws(DeviceFault) {
        let middle = bytes.count / 2
        try reader.take(Array(bytes[..<middle]), isLast: false)
        try reader.take(Array(bytes[middle...]), isLast: true)
        let file = try reader.file()
        let count = file.rates.values.count + (file.beats?.count ?? 0)
        #expect(count > 0 && count <= bytes.count, "case \(number) of seed \(seed)")
        #expect(!file.rates.times.contains { !$0.isFinite }, "case \(number) of seed \(seed)")
        read += 1
      } catch {
        #expect(!error.reason.isEmpty, "case \(number) of seed \(seed)")
        _ = try? reader.file()
        refused += 1
      }
    }
    #expect(read > cases / 100 && refused > cases / 100, "\(read) read, \(refused) refused")
  }

  private static func bytes(_ format: DeviceFormat) throws -> [UInt8] {
    let rows = (0..<60).map { "\(60 + $0 % 9)" }
    return switch format {
    case .fit, .gpx, .tcx: try DeviceFiles.bytes(format.rawValue)
    case .polarHRM: Array(DeviceFiles.polarHRM(interval: 5, rows).utf8)
    case .polarFlow: Array(DeviceFiles.polarFlow(rows).utf8)
    }
  }
}

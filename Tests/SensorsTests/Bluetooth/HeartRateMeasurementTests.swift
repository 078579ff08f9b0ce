import Basics
import Quantities
import Testing

@testable import Sensors

@Suite("A value of Bluetooth's heart-rate characteristic")
struct HeartRateMeasurementTests {
  typealias Fault = HeartRateMeasurement.Fault

  @Test(
    "is read as the profile defines it",
    arguments: [
      // The bytes, the rate, contact, energy and intervals: Bluetooth SIG's “GATT Specification Supplement”.
      ([0x00, 72], 72, nil, nil, []),
      // The first bit of contact without the second means nothing.
      ([0x02, 72], 72, nil, nil, []), ([0x04, 72], 72, false, nil, []), ([0x06, 73], 73, true, nil, []),
      ([0x01, 0x04, 0x01], 260, nil, nil, []),
      ([0x10, 75, 0x33, 0x03], 75, nil, nil, [819]),
      ([0x16, 75, 0x33, 0x03, 0x3E, 0x03, 0x48, 0x03], 75, true, nil, [819, 830, 840]),
      ([0x1E, 76, 0xF4, 0x01, 0x20, 0x03], 76, true, 500, [800]),
      ([0x19, 0x2C, 0x01, 0xFF, 0xFF, 0xCC, 0x00, 0xCD, 0x00], 300, nil, 65_535, [204, 205]),
      // Bits 5 to 7 are reserved.
      ([0xE0, 60], 60, nil, nil, []),
    ] as [([UInt8], Int, Bool?, Int?, [Int])])
  func meaning(bytes: [UInt8], rate: Int, contact: Bool?, energy: Int?, intervals: [Int]) {
    let value = HeartRateMeasurement(bytes)
    #expect(value.heartRate == rate)
    #expect(value.contact == contact)
    #expect(value.energy == energy)
    #expect(value.intervals == intervals)
    #expect(value.fault == nil)
    #expect(value.sample.rrIntervals == intervals.map { Double($0) / 1.024 })
  }

  @Test("is read back in every combination of flags, with as many intervals as 20 bytes hold")
  func combinations() {
    for flags in UInt8(0)..<32 {
      let (isWide, hasEnergy, hasIntervals) = (flags & 1 != 0, flags & 8 != 0, flags & 16 != 0)
      let head: [UInt8] = [flags, 61] + (isWide ? [1] : []) + (hasEnergy ? [0x34, 0x12] : [])
      let most = hasIntervals ? (20 - head.count) / 2 : 0
      #expect(most == (hasIntervals ? (isWide ? (hasEnergy ? 7 : 8) : (hasEnergy ? 8 : 9)) : 0))
      for count in 0...most {
        let intervals = (0..<count).map { 700 + 11 * $0 }
        let value = HeartRateMeasurement(head + intervals.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(value.heartRate == (isWide ? 256 + 61 : 61))
        #expect(value.contact == (flags & 4 == 0 ? nil : flags & 2 != 0))
        #expect(value.energy == (hasEnergy ? 0x1234 : nil))
        #expect(value.intervals == intervals)
        #expect(value.fault == nil)
      }
    }
  }

  @Test(
    "keeps what can be read of a malformed one, and says what is wrong",
    arguments: [
      ([], nil, [], .noRate), ([0x10], nil, [], .noRate), ([0x01, 4], nil, [], .noRate),
      ([0x08, 72, 1], 72, [], .noEnergy), ([0x18, 72], 72, [], .noEnergy),
      ([0x00, 72, 0xFF], 72, [], .surplus(bytes: 1)), ([0x10, 72, 0x33, 0x03, 9], 72, [819], .surplus(bytes: 1)),
      ([0x00, 72, 1, 2, 3, 4], 72, [], .surplus(bytes: 4)),
    ] as [([UInt8], Int?, [Int], Fault)])
  func malformed(bytes: [UInt8], rate: Int?, intervals: [Int], fault: Fault) {
    let value = HeartRateMeasurement(bytes)
    #expect(value.heartRate == rate)
    #expect(value.intervals == intervals)
    #expect(value.fault == fault)
    #expect(fault.words(of: bytes).contains(hexadecimal(bytes)))
  }

  @Test("of any bytes delivers nothing that no heart has")
  func hostile() {
    var random = SplitMix64(seed: 0x2A37)
    var decoder = BluetoothDecoder(latency: .zero, after: 0)
    var (readings, faults) = (0, 0)
    for index in 0..<100_000 {
      let bytes = (0..<Int(random.next() % 24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let arrived = Moment(nanoseconds: 0).advanced(by: .seconds(index))
      let yield = decoder.take(bytes, arrived: arrived)
      readings += yield.readings.count
      faults += yield.faults.count
      for reading in yield.readings {
        #expect(reading.heartRate.map(Sample.rates.contains) ?? true)
        #expect(reading.rrIntervals.allSatisfy(Sample.intervals.contains))
        #expect(reading.happened <= arrived)
      }
    }
    #expect(readings > 10_000 && faults > 10_000)
  }

  @Test("of a strap without a rate yet is not a fault")
  func zero() {
    var decoder = BluetoothDecoder(latency: .zero, after: 0)
    let yield = decoder.take([0x06, 0], arrived: Moment(nanoseconds: 0))
    #expect(yield.faults.isEmpty)
    #expect(yield.readings.map(\.contact) == [true] || yield.readings.isEmpty)
    #expect(yield.readings.allSatisfy { $0.heartRate == nil })
  }

  @Test("keeps its bytes with the reading")
  func payload() {
    var decoder = BluetoothDecoder(latency: .zero, after: 0)
    #expect(
      decoder.take([0x10, 75, 0x33, 0x03], arrived: Moment(nanoseconds: 0)).readings.map(\.payload) == [
        [0x10, 75, 0x33, 0x03]
      ])
  }
}

import Basics
import Quantities
import Testing

@testable import Sensors

@Suite("A packet of Polar's measurement service")
struct PolarMeasurementTests {
  private static let time: [UInt8] = [0x00, 0x94, 0x35, 0x77, 0, 0, 0, 0]

  @Test("holds microvolts of the electrocardiogram")
  func electrocardiogram() throws {
    let packet = try PolarMeasurement([0] + Self.time + [0, 0x01, 0, 0, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x80])
    #expect(packet.kind == .electrocardiogram)
    #expect(packet.time == 2)
    #expect(packet.values == [1, -1, -8_388_608])
  }

  @Test(
    "holds accelerations in one, two or three bytes",
    arguments: [
      (0, [0x01, 0xFF, 0x80]), (1, [0x01, 0, 0xFF, 0xFF, 0x80, 0xFF]),
      (2, [1, 0, 0, 0xFF, 0xFF, 0xFF, 0x80, 0xFF, 0xFF]),
    ] as [(UInt8, [UInt8])])
  func acceleration(form: UInt8, frame: [UInt8]) throws {
    #expect(try PolarMeasurement([2] + Self.time + [form] + frame).values == [1, -1, -128])
  }

  @Test("holds accelerations as differences from the first frame")
  func differences() throws {
    // A frame (100, 200, −300), then two frames of differences in three bits: (1, −1, 2), (3, −4, 0).
    // From the lowest bit on: 001, 111, 010, 011, 100, 000.
    let bits = [1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0]
    var packed = [UInt8](repeating: 0, count: 3)
    for (place, bit) in bits.enumerated() where bit == 1 { packed[place / 8] |= 1 << UInt8(place % 8) }
    let bytes = [2] + Self.time + [0x81, 100, 0, 200, 0, 0xD4, 0xFE, 3, 2] + packed
    #expect(try PolarMeasurement(bytes).values == [100, 200, -300, 101, 199, -298, 104, 195, -298])
  }

  @Test(
    "that is damaged is refused",
    arguments: [
      [], [0], [0, 1, 2, 3, 4, 5, 6, 7, 8], [9] + time + [0, 1, 2, 3], [0] + time + [1, 1, 2, 3], [0] + time + [0],
      [0] + time + [0, 1, 2], [2] + time + [0x81, 1, 0, 2], [2] + time + [0x81, 0, 0, 0, 0, 0, 0, 8],
      [2] + time + [0x81, 0, 0, 0, 0, 0, 0, 8, 9, 1],
    ])
  func damaged(bytes: [UInt8]) {
    #expect(throws: PolarMeasurement.Fault.self) { try PolarMeasurement(bytes) }
  }

  @Test("of any bytes is read or refused")
  func hostile() {
    var random = SplitMix64(seed: 0xFB00)
    var read = 0
    for _ in 0..<100_000 {
      var bytes = (0..<Int(random.next() % 64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if bytes.count > 9 {
        bytes[0] = random.next() % 2 == 0 ? 0 : 2
        bytes[9] = [0, 1, 2, 0x80, 0x81, 0x82][Int(random.next() % 6)]
      }
      if let packet = try? PolarMeasurement(bytes) {
        read += 1
        #expect(packet.values.count.isMultiple(of: packet.kind.channels.count))
      }
    }
    #expect(read > 5000)
  }

  @Test("is started with the settings that the sensor offered")
  func start() throws {
    // What an H10 offers, from Polar's specification: 130 Hz, 14 bits.
    let answer = try #require(PolarControl.Answer([0xF0, 1, 0, 0, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0]))
    #expect(answer.offer == [0: [130], 1: [14]])
    let choice = PolarControl.choice(from: answer.offer, rate: 130)
    #expect(PolarControl.start(.electrocardiogram, choice) == [2, 0, 0, 1, 0x82, 0, 1, 1, 0x0E, 0])
    // The accelerometer's offer has several rates and ranges.
    let other = try #require(
      PolarControl.Answer([0xF0, 1, 2, 0, 0, 0, 4, 25, 0, 50, 0, 100, 0, 200, 0, 1, 1, 16, 0, 2, 3, 2, 0, 4, 0, 8, 0]))
    #expect(PolarControl.choice(from: other.offer, rate: 60) == [0: 50, 1: 16, 2: 4])
  }

  @Test("of acceleration becomes frames of three axes in m/s² at the rate that was chosen")
  func acceleration() throws {
    var decoder = BluetoothDecoder(latency: .zero, after: 0)
    decoder.begin(.acceleration, rate: 25)
    let yield = decoder.take(
      waveform: [2] + Self.time + [1, 0xE8, 3, 0, 0, 0x18, 0xFC, 0, 0, 1, 0, 2, 0],
      arrived: Moment(nanoseconds: 10_000_000_000))
    let frames = try #require(yield.waveforms.first)
    #expect(frames.count == 2 && frames.format.rate == 25 && frames.format.channels == ["x", "y", "z"])
    #expect(frames.format.type == .acceleration && frames.format.unit.symbol == "m/s^2")
    let expected: [Float] = [9.80665, 0, -9.80665, 0, 0.00980665, 0.0196133]
    for (value, expected) in zip(frames.values, expected) { #expect(abs(value - expected) < 1e-6) }
  }

  @Test("becomes frames in millivolts at the sensor's own times")
  func frames() throws {
    var decoder = BluetoothDecoder(latency: .milliseconds(100), after: 0)
    let arrived = Moment(nanoseconds: 0).advanced(by: .seconds(10))
    let yield = decoder.take(waveform: [0] + Self.time + [0, 0xE8, 3, 0, 0x18, 0xFC, 0xFF], arrived: arrived)
    let frames = try #require(yield.waveforms.first)
    #expect(frames.values == [1, -1])
    #expect(frames.format.unit == QuantityType.electrocardiogram.defaultUnit)
    #expect(frames.end.duration(to: arrived) == .milliseconds(100))
    let second: [UInt8] = [0x00, 0x94, 0x35, 0x77 + 2, 0, 0, 0, 0]
    let next = try #require(
      decoder.take(waveform: [0] + second + [0, 1, 0, 0], arrived: arrived.advanced(by: .seconds(1))).waveforms.first)
    #expect(frames.end.duration(to: next.end) == .nanoseconds(2 << 24))
  }
}

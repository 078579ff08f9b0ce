import Basics
import Quantities
import Recordings
import TestSupport
import Testing

@testable import Sensors

@Suite("Channels in lines of text")
struct ChannelLineTests {
  private static let skin = QuantityType(channel: "skinConductance") ?? .bodyMass

  private func read(_ lines: String...) -> [Row] {
    var reader = RowReader()
    return lines.map { line in
      let bytes = Array(line.utf8)
      return reader.read(bytes.span)
    }
  }

  @Test(
    "A key or a column names the quantity, and the unit behind an underscore",
    arguments: [
      ([#"{"t":1,"skinConductance":2.31}"#], "electrodermalActivity", "mcS", 2.31),
      ([#"{"skinConductance_uS":2.31}"#], "electrodermalActivity", "mcS", 2.31),
      ([#"{"skinConductance_µS":2.31}"#], "electrodermalActivity", "mcS", 2.31),
      ([#"{"electrodermalActivity_S":0.00000231}"#], "electrodermalActivity", "S", 0.00000231),
      ([#"{"HKQuantityTypeIdentifierElectrodermalActivity":2}"#], "electrodermalActivity", "mcS", 2),
      ([#"{"respiratoryRate":14, "hr": 61, "x": null}"#], "respiratoryRate", "count/min", 14),
      ([#"{"bodyTemperature_degF":98.6}"#], "bodyTemperature", "degF", 98.6),
      (["t,skinConductance", "1,2.31"], "electrodermalActivity", "mcS", 2.31),
      (["time;hr;skinTemperature_degC", "1;61;33,5"], "skinTemperature", "degC", 33.5),
      (["time,type,value,unit", "1,respiratoryRate,0.25,count/s"], "respiratoryRate", "count/s", 0.25),
    ] as [([String], String, String, Double)])
  func names(lines: [String], type: String, unit: String, expected: Double) throws {
    var reader = RowReader()
    let rows = lines.map { line in
      let bytes = Array(line.utf8)
      return reader.read(bytes.span)
    }
    guard case .sample(let sample) = try #require(rows.last) else {
      Issue.record("\(rows)")
      return
    }
    let value = try #require(sample.values.first)
    #expect(sample.values.count == 1)
    #expect((value.channel.type.identifier, value.channel.unit.symbol) == (type, unit))
    #expect(value.value == expected)
  }

  @Test("A line may carry a heart and other channels together, in either reading", arguments: ["", #","a":"\\n""#])
  func together(more: String) throws {
    let rows = read(#"{"hr":61,"rr":[980],"skinConductance":2.5,"respiratoryRate":14\#(more)}"#)
    guard case .sample(let sample) = try #require(rows.last) else {
      Issue.record("\(rows)")
      return
    }
    #expect(sample.heartRate == 61 && sample.rrIntervals == [980])
    #expect(sample.values.map(\.value) == [2.5, 14])
  }

  @Test("The names of the heart's quantities are the heart's, in their units")
  func heart() {
    #expect(read(#"{"heartRate":61}"#) == [.sample(Sample(heartRate: 61))])
    #expect(read(#"{"rrInterval_s":0.75}"#) == [.sample(Sample(rrIntervals: [750]))])
  }

  @Test("An implausible value is reported, and the others of its line are kept")
  func partly() {
    let skin = Channel(Self.skin)
    #expect(
      read(#"{"hr":900,"skinConductance":2}"#) == [
        .partly(Sample(values: [.init(channel: skin, value: 2)]), "hr 900 is outside 15…350")
      ])
    #expect(
      read(#"{"hr":61,"skinConductance":300}"#) == [
        .partly(Sample(heartRate: 61), "skinConductance 300 mcS is outside 0…100 mcS")
      ])
    #expect(
      read(#"{"skinConductance":-1}"#) == [.unreadable("skinConductance -1 mcS is outside 0…100 mcS")])
  }

  @Test("Two values of one quantity in a line are refused")
  func twice() {
    #expect(
      read(#"{"skinConductance":2,"electrodermalActivity":3}"#) == [.unreadable("two values of skinConductance")])
  }

  private func decode(_ lines: String, latency: Duration = .zero) -> Decoded {
    var decoder = LineDecoder(latency: latency)
    let bytes = Array(lines.utf8)
    return decoder.take(bytes.span, arrived: Moment(nanoseconds: 10_000_000_000))
  }

  @Test("An unknown key is noted once, with the nearest channel")
  func unknown() throws {
    let yield = decode(
      #"{"skinConductanse":2,"hr":60}"# + "\n" + #"{"hr":61,"skinConductanse":2,"bodyMass_mcS":1}"# + "\n")
    #expect(yield.readings.map(\.heartRate) == [60, 61] && yield.faults == [])
    try #require(yield.notes.count == 2)
    #expect(yield.notes[0].contains("“skinConductance”") && yield.notes[1].contains("mcS"))
  }

  @Test("A value happened at the sender's time, and without one at its arrival, less the latency")
  func times() throws {
    let timed = decode(
      #"{"t":5,"skinConductance":2}"# + "\n" + #"{"t":6,"skinConductance":3}"# + "\n", latency: .milliseconds(200))
    let moments = timed.readings.flatMap { $0.samples.map(\.happened) }
    #expect(moments == [Moment(nanoseconds: 8_800_000_000), Moment(nanoseconds: 9_800_000_000)])
    let untimed = decode(#"{"skinConductance":2,"hr":60,"rr":[1000]}"# + "\n", latency: .milliseconds(200))
    #expect(untimed.readings.first?.samples.first?.happened == Moment(nanoseconds: 9_800_000_000))
  }

  @Test(
    "Intervals around an implausible one keep their times",
    arguments: [
      ([800, 810], [([800, 810], 0)]), ([800, 5000, 810], [([800], -5810), ([810], 0)]),
      ([800, 100, 120, 810, 820], [([800], -1850), ([810, 820], 0)]), ([800, 100], [([800], -100), ([], 0)]),
      ([800, 50_000, 810], [([810], 0)]),
    ] as [([Double], [([Double], Int64)])])
  func parts(intervals: [Double], expected: [([Double], Int64)]) {
    let moment = Moment(nanoseconds: 60_000_000_000)
    let reading = HeartReading(heartRate: 61, rrIntervals: intervals, happened: moment, arrived: moment)
    let parts = reading.parts
    #expect(parts.map(\.rrIntervals) == expected.map(\.0))
    #expect(parts.map { moment.duration(to: $0.happened).nanoseconds / 1_000_000 } == expected.map(\.1))
    #expect(parts.map(\.heartRate).last == 61 && parts.dropLast().allSatisfy { $0.heartRate == nil })
  }

  @Test(
    "Simulated values of every quantity are plausible, and the same for the same seed",
    arguments: QuantityType.recordable)
  func simulated(type: QuantityType) {
    func values(_ seed: UInt64) -> [Double] {
      var course = SimulatedCourse(type, seed: seed)
      return (0..<2400).map { _ in course.next() }
    }
    let first = values(7)
    #expect(first == values(7) && first != values(8))
    #expect(first.allSatisfy { type.isPlausible($0, in: type.defaultUnit) })
    #expect(zip(first, first.dropFirst()).contains { $0 != $1 })
    #expect(type.typical.map { typical in first.allSatisfy(typical.contains) } ?? true)
  }

  @Test("A simulated channel sends four values a second, when they happen")
  func stream() async throws {
    let clock = HandClock()
    let sensor = try SensorAddress("simulated:quantity=skinConductance,seed=3").sensor()
    #expect(sensor.channels == [Channel(Self.skin, rate: 4)])
    let start = clock.now
    var events = sensor.events(on: clock).makeAsyncIterator()
    guard case .connected? = await events.next() else {
      Issue.record("it did not connect")
      return
    }
    clock.advance(by: .milliseconds(250))
    guard case .readings(let readings)? = await events.next() else {
      Issue.record("it sent nothing")
      return
    }
    #expect(readings.map(\.happened) == [start.advanced(by: .milliseconds(250))])
    #expect(readings.first?.samples.map(\.type) == [Self.skin] && readings.first?.isOfHeart == false)
  }

  @Test("A simulated strap becomes the channel of the quantity that a recorder needs")
  func simulating() throws {
    let address = try SensorAddress("simulated:seed=7,latency_ms=20,rate=60")
    #expect(address.simulating(Self.skin).text == "simulated:quantity=skinConductance,seed=7,latency_ms=20.0")
    #expect(address.simulating(.heartRate) == address)
    #expect(throws: SensorError.self) { try SensorAddress("simulated:quantity=skinConductance,rate=60") }
    #expect(throws: SensorError.self) { try SensorAddress("simulated:quantity=mood") }
  }

  @Test(
    "Of many unknown names the first are reported, then once that there are more",
    arguments: [(3, 3), (20, 20), (500, 21)])
  func unknownNames(count: Int, reports: Int) {
    var names = ChannelNames()
    for _ in 0..<2 { for number in 0..<count { #expect(names.channel("unknown\(number)") == nil) } }
    let reported = names.takeReports()
    #expect(reported.count == reports && names.takeReports().isEmpty)
  }
}

import Basics
import Quantities
import Testing

@Suite("Quantities and samples")
struct SampleTests {
  static let revision = SourceRevision(source: Source(name: "strap", bundleIdentifier: "station.strap"))
  static let uuid = UUID(high: 1, low: 2)
  static let start = WallTime(milliseconds: 1_763_636_911_250)

  static func sample(
    _ type: QuantityType, _ value: Double, _ unit: String, from start: WallTime = start, to end: WallTime? = nil
  ) throws -> QuantitySample {
    try QuantitySample(
      uuid: uuid, type: type, quantity: Quantity(value, Unit(unit)), start: start, end: end, sourceRevision: revision)
  }

  @Test("A sample holds its value in the type's canonical unit")
  func canonical() throws {
    let sample = try Self.sample(.heartRate, 72, "bpm")
    #expect(sample.value == 1.2)
    #expect(sample.quantity.description == "1.2 count/s")
    #expect(try sample.value(in: .countPerMinute) == 72)
    #expect(sample.start == Self.start && sample.end == Self.start)
    #expect(try Self.sample(.bodyMass, 154.32, "lb").value.rounded() == 70)
    #expect(try Self.sample(.dietaryEnergyConsumed, 1046, "kJ").value == 250)
  }

  @Test(
    "A type is measured in units of its own dimension alone; others are refused with HealthKit's text",
    arguments: [
      (.heartRate, "count", "Count/Time"), (.heartRate, "Hz", "Count/Time"), (.stepCount, "m", "Count"),
      (.bodyMass, "m", "Mass"), (.activeEnergyBurned, "W", "Energy"), (.height, "kg", "Length"),
    ] as [(QuantityType, String, String)])
  func wrongUnit(type: QuantityType, unit: String, dimension: String) {
    let error = #expect(throws: QuantityError.self) { try Self.sample(type, 1, unit) }
    #expect(
      error?.description == "HKQuantitySample \(type.healthKitIdentifier) requires unit of type \(dimension). "
        + "Incompatible unit: \(unit)")
  }

  @Test("A value that is not a number is refused by name", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    let error = #expect(throws: QuantityError.self) { try Quantity(value, .countPerMinute) }
    #expect(error?.description == "a quantity in count/min is \(value), which is not a number that can be kept")
  }

  @Test("A value that leaves the numbers when it is converted is refused")
  func overflow() throws {
    let error = #expect(throws: QuantityError.self) { try Quantity(1e300, Unit("Tm")).value(in: Unit("fm")) }
    #expect(error?.description == "1e+300 Tm in fm is inf, which is not a number that can be kept")
  }

  @Test("What cannot be below zero is not, and what a user defines may be")
  func negative() throws {
    #expect(throws: QuantityError.negative(-1, .stepCount)) { try Self.sample(.stepCount, -1, "count") }
    #expect(try Self.sample(.stepCount, 0, "count").value == 0)
    let change = try QuantityType(userDefined: "massChange", aggregationStyle: .discreteArithmetic, unit: .kilogram)
    #expect(try Self.sample(change, -500, "g").value == -0.5)
  }

  @Test("A sample that ends before it starts is refused, to the microsecond")
  func order() throws {
    let before = WallTime(microseconds: Self.start.microseconds - 1)
    let error = #expect(throws: QuantityError.endsBeforeStart(start: Self.start, end: before)) {
      try Self.sample(.heartRate, 1, "count/s", to: before)
    }
    #expect(
      error?.description == "startDate (2025-11-20T11:08:31.250Z) must not be later than endDate "
        + "(2025-11-20T11:08:31.249999Z): exchange them, or correct one")
  }

  @Test(
    "Times that stand for never are refused by HealthKit's names for them",
    arguments: [
      ("0001-01-01T00:00:00Z", "NSDate.distantPast"), ("0001-12-31T23:59:59.999999Z", "NSDate.distantPast"),
      ("4001-01-01T00:00:00Z", "NSDate.distantFuture"), ("9999-12-31T23:59:59Z", "NSDate.distantFuture"),
    ])
  func never(text: String, name: String) throws {
    let time = try #require(WallTime(text))
    let isPast = name.hasSuffix("Past")
    let error = #expect(throws: QuantityError.self) {
      try Self.sample(.heartRate, 1, "count/s", from: isPast ? time : Self.start, to: isPast ? Self.start : time)
    }
    #expect(
      error?.description
        == "Type HKSample can not have \(isPast ? "startDate" : "endDate") of \(name): it is \(time.precise)")
  }

  @Test("The first and the last instant that a sample may have are year 2's and year 4000's")
  func ends() throws {
    let first = try #require(WallTime("0002-01-01T00:00:00Z"))
    let last = try #require(WallTime("4000-12-31T23:59:59.999999Z"))
    let sample = try Self.sample(.heartRate, 1, "count/s", from: first, to: last)
    #expect(sample.start == first && sample.end == last)
  }

  @Test(
    "Quantities compare across units",
    arguments: [("1 kcal", "4184 J", 0), ("60 bpm", "1.1 count/s", -1), ("1 m", "99 cm", 1), ("1 %", "1 count", 0)])
  func comparison(left: String, right: String, order: Int) throws {
    func quantity(_ text: String) throws -> Quantity {
      let words = text.split(separator: " ")
      return try Quantity(#require(Double(words[0])), Unit(String(words[1])))
    }
    #expect(try quantity(left).compare(quantity(right)) == order)
    #expect(try quantity(right).compare(quantity(left)) == -order)
    #expect(try quantity(left) != quantity(right))
    #expect(throws: QuantityError.self) { try quantity(left).compare(Quantity(1, .millisecond)) }
  }

  @Test("Beats are whole nanoseconds; those that fall together are refused")
  func wholeNanoseconds() throws {
    func series(_ attoseconds: [Int64]) throws -> HeartbeatSeries {
      let beats = attoseconds.map {
        HeartbeatSeries.Beat(timeSinceStart: Duration(secondsComponent: 1, attosecondsComponent: $0))
      }
      return try HeartbeatSeries(uuid: Self.uuid, start: Self.start, beats: beats, sourceRevision: Self.revision)
    }
    #expect(try series([1, 1_000_000_001]).beats.map(\.timeSinceStart) == [.seconds(1), .nanoseconds(1_000_000_001)])
    #expect(throws: QuantityError.self) { try series([1, 2]) }
  }

  @Test("A heartbeat series lasts from its start to its last beat")
  func series() throws {
    let beats = [800, 1610, 3300].map {
      HeartbeatSeries.Beat(timeSinceStart: .milliseconds($0), isPrecededByGap: $0 == 3300)
    }
    let series = try HeartbeatSeries(uuid: Self.uuid, start: Self.start, beats: beats, sourceRevision: Self.revision)
    #expect(series.end == Self.start.advanced(by: .milliseconds(3300)))
    #expect(series.beats.map(\.isPrecededByGap) == [false, false, true])
    let empty = try HeartbeatSeries(uuid: Self.uuid, start: Self.start, beats: [], sourceRevision: Self.revision)
    #expect(empty.end == Self.start)
  }

  @Test(
    "A beat that does not come after the one before it is refused with its number",
    arguments: [
      ([0], "beat 1 of a heartbeat series is at 0.0 s, which is not after the series' start"),
      ([-1], "beat 1 of a heartbeat series is at -0.001 s, which is not after the series' start"),
      ([800, 800], "beat 2 of a heartbeat series is at 0.8 s, which is not after the beat before it, at 0.8 s"),
      ([800, 1600, 700], "beat 3 of a heartbeat series is at 0.7 s, which is not after the beat before it, at 1.6 s"),
    ])
  func beats(milliseconds: [Int], text: String) {
    let beats = milliseconds.map { HeartbeatSeries.Beat(timeSinceStart: .milliseconds($0)) }
    let error = #expect(throws: QuantityError.self) {
      try HeartbeatSeries(uuid: Self.uuid, start: Self.start, beats: beats, sourceRevision: Self.revision)
    }
    #expect(error?.description == text)
  }
}

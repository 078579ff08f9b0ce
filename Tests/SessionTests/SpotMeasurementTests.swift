import Basics
import Quantities
import Sensors
import Session
import Testing

@Suite("Measuring a mean heart rate")
struct SpotMeasurementTests {
  private static let zero = Moment(nanoseconds: 1_000_000_000_000)

  private static func moment(_ seconds: Double) -> Moment { zero.advanced(by: Duration(seconds: seconds)) }

  private static func beat(
    _ seconds: Double, _ interval: Double? = nil, rate: Double? = nil, contact: Bool? = nil,
    problem: SignalProblem? = nil, quality: Double? = nil
  ) -> SensorEvent {
    .readings([
      HeartReading(
        heartRate: rate, rrIntervals: interval.map { [$0] } ?? [], contact: contact, problem: problem,
        happened: moment(seconds), arrived: moment(seconds),
        samples: quality.map { [ChannelSample(.signalQuality, $0, happened: moment(seconds))] } ?? [])
    ])
  }

  /// A measurement of 20 s to which events are given, each at its second.
  private static func measure(_ events: [(Double, SensorEvent)], until end: Double = 120) -> SpotMeasurement {
    var measurement = SpotMeasurement(for: .seconds(20), from: zero)
    measurement.take(.connected(Device(name: "strap")), at: zero)
    for (second, event) in events { measurement.take(event, at: moment(second)) }
    measurement.tick(at: moment(end))
    return measurement
  }

  private static func beats(_ times: [Double], interval: Double) -> [(Double, SensorEvent)] {
    times.map { ($0, beat($0, interval)) }
  }

  @Test("The mean is the number of intervals divided by their time", arguments: [500.0, 800, 1000, 1500])
  func mean(interval: Double) throws {
    let times = (1...80).map { Double($0) * interval / 1000 }
    guard case .done(let mean) = Self.measure(Self.beats(times, interval: interval)).phase else {
      Issue.record("no mean")
      return
    }
    #expect(abs(mean.rate - 60_000 / interval) < 1e-6)
    #expect(mean.start == Self.zero && mean.coverage == 1)
    #expect(mean.start.duration(to: mean.end) >= .seconds(20))
    #expect(mean.intervals == Int((20_000 / interval).rounded(.up)))
    #expect(mean.quality == nil)
  }

  @Test("Heart rates without intervals are weighted with the time between them")
  func rates() {
    let events = (1...40).map { (Double($0), Self.beat(Double($0), rate: $0 <= 12 ? 60 : 90, quality: 0.9)) }
    guard case .done(let mean) = Self.measure(events).phase else {
      Issue.record("no mean")
      return
    }
    // From 1 s to 21 s: eleven seconds of 60, nine of 90.
    #expect(abs(mean.rate - (11 * 60 + 9 * 90) / 20.0) < 1e-6)
    #expect(mean.intervals == nil)
    #expect(abs((mean.quality ?? 0) - 0.9) < 1e-9)
  }

  @Test("An unsteady beginning is waited for, and does not count")
  func unsteady() {
    let wild = [0.5, 1.9, 2.3, 4.0].map { ($0, Self.beat($0, 500)) }
    let calm = Self.beats((6...40).map { Double($0) }, interval: 1000)
    guard case .done(let mean) = Self.measure(wild + calm).phase else {
      Issue.record("no mean")
      return
    }
    #expect(mean.rate == 60 && mean.start == Self.moment(5))
  }

  @Test(
    "What failed is said",
    arguments: [
      (MeasurementFailure.noData, [(Double, SensorEvent)]()),
      (.problem(.noFinger), [(1, beat(1, contact: false, problem: .noFinger))]),
      (.problem(.movement), [(1, beat(1, problem: .movement))]), (.noContact, [(1, beat(1, contact: false))]),
      (.noHeartRate, [(1, beat(1, quality: 0.2))]),
      (.unsteady, [0.5, 1.9, 2.3, 4.0].map { ($0, beat($0, 500)) }),
      (.problem(.noPulse), beats((1...8).map(Double.init), interval: 1000) + [(9, beat(9, problem: .noPulse))]),
      (
        .ended(reason: "film over"),
        beats((1...3).map(Double.init), interval: 1000) + [(4, .ended(reason: "film over"))]
      ),
    ])
  func failures(failure: MeasurementFailure, events: [(Double, SensorEvent)]) {
    let measurement = Self.measure(events)
    #expect(measurement.phase == .failed(failure))
    #expect(!failure.code.isEmpty && measurement.isOver)
  }

  @Test("A sensor that cannot be reached fails immediately; one that does not answer, after the patience")
  func unreachable() {
    var measurement = SpotMeasurement(for: .seconds(20), from: Self.zero)
    measurement.take(.lost(reason: "no such host"), at: Self.zero)
    #expect(measurement.phase == .failed(.lost(reason: "no such host")))
    var mute = SpotMeasurement(for: .seconds(20), from: Self.zero)
    mute.tick(at: Self.moment(29))
    #expect(mute.phase == .waiting)
    mute.tick(at: Self.moment(31))
    #expect(mute.phase == .failed(.unanswered))
  }

  @Test(
    "A recording that ends counts if it was long enough and known for most of its time",
    arguments: [(6, false), (12, true)])
  func recording(beats: Int, isEnough: Bool) {
    let events = Self.beats((1...beats).map(Double.init), interval: 1000)
    let measurement = Self.measure(events + [(Double(beats), .ended(reason: "over"))])
    if case .done(let mean) = measurement.phase {
      #expect(isEnough && mean.rate == 60)
    } else {
      #expect(!isEnough)
    }
  }

  @Test(
    "Where many beats are missing, the time that is measured begins after them, and a few are bridged",
    arguments: [5.0, 11, 25], [6, 12, 18])
  func missing(seconds: Double, before: Int) {
    let first = Self.beats((1...before).map(Double.init), interval: 1000)
    let after = Self.beats((1...40).map { Double(before) + seconds + Double($0) }, interval: 1000)
    let phase = Self.measure(first + after).phase
    guard case .done(let mean) = phase else {
      Issue.record("\(phase)")
      return
    }
    #expect(mean.rate == 60 && mean.coverage >= 0.6)
    #expect(mean.start.duration(to: mean.end) >= .seconds(20))
    if seconds > 8 { #expect(mean.start > Self.moment(Double(before) - 1), "\(mean)") }
  }

  @Test(
    "After each slip the patience begins again: a pulse that is found only 8 s later is measured",
    arguments: [[5.0...7, 15...17, 25...27], [10...22], [0...25], [3...20, 40...48]], [8.0, 12])
  func patience(slips: [ClosedRange<Double>], delay: Double) {
    let events = (1...120).map { second -> (Double, SensorEvent) in
      let time = Double(second)
      if slips.contains(where: { $0.contains(time) }) {
        return (time, Self.beat(time, contact: false, problem: .noFinger))
      }
      let since = slips.map(\.upperBound).filter { $0 < time }.max() ?? 0
      return (time, time - since <= delay ? Self.beat(time, problem: .noPulse) : Self.beat(time, 1000))
    }
    guard case .done(let mean) = Self.measure(events, until: 120).phase else {
      Issue.record("\(Self.measure(events, until: 120).phase)")
      return
    }
    #expect(mean.rate == 60)
  }

  @Test("A finger that slips again and again is given up in the end, with the reason")
  func slips() {
    var events: [(Double, SensorEvent)] = []
    for start in stride(from: 0.0, to: 300, by: 20) {
      events += Self.beats((1...6).map { start + Double($0) }, interval: 1000)
      events += (7...19).map { (start + Double($0), Self.beat(start + Double($0), contact: false, problem: .noFinger)) }
    }
    let measurement = Self.measure(events, until: 300)
    #expect(measurement.phase == .failed(.problem(.noFinger)))
  }
}

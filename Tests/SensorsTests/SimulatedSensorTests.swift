import Basics
import TestSupport
import Testing

@testable import Quantities
@testable import Sensors

@Suite("A simulated sensor")
struct SimulatedSensorTests {
  /// Runs a sensor for so many seconds of a clock that is turned whenever it is waited for.
  private func run(
    _ sensor: SimulatedSensor, seconds: Int, clock: HandClock = HandClock(),
    at changes: [(second: Int, isSounding: Bool)] = []
  ) async -> [SensorEvent] {
    let start = clock.now
    let end = start.advanced(by: .seconds(seconds))
    return await withTaskGroup(of: [SensorEvent].self) { group in
      group.addTask {
        var events: [SensorEvent] = []
        for await event in sensor.events(on: clock) { events.append(event) }
        return events
      }
      var changes = changes[...]
      while clock.now < end {
        await waitForSleepers(1, on: clock)
        if let change = changes.first, clock.now >= start.advanced(by: .seconds(change.second)) {
          sensor.stimulusChanged(isSounding: change.isSounding, at: clock.now)
          changes.removeFirst()
        }
        if let deadline = clock.nextDeadline { clock.advance(to: deadline) }
      }
      group.cancelAll()
      return await group.next() ?? []
    }
  }

  private func readings(_ events: [SensorEvent]) -> [HeartReading] {
    events.flatMap { event -> [HeartReading] in
      guard case .readings(let readings) = event else { return [] }
      return readings
    }
  }

  @Test("delivers like a strap: once a second, the intervals since the last time, a little after the beat")
  func strap() async {
    let clock = HandClock()
    let start = clock.now
    let events = await run(SimulatedSensor(), seconds: 120, clock: clock)
    #expect(events.first == .connected(SimulatedSensor().source.device))
    let readings = readings(events)
    #expect((119...120).contains(readings.count))
    for (index, reading) in readings.enumerated() {
      let sent = start.duration(to: reading.arrived).milliseconds - Double(index + 1) * 1000
      #expect((20.0...50).contains(sent))
      #expect(reading.happened <= reading.arrived)
      #expect(reading.happened.duration(to: reading.arrived) < .milliseconds(1060))
      #expect(reading.rrIntervals.count <= 2)
      #expect(reading.contact == true)
      // 1/1024 s is the unit of Bluetooth's heart-rate service.
      #expect(reading.rrIntervals.allSatisfy { ($0 * 1.024).rounded() == $0 * 1.024 })
    }
    // The instants of the beats and the intervals say the same.
    let beats = readings.filter { !$0.rrIntervals.isEmpty }
    for (earlier, later) in zip(beats, beats.dropFirst()) {
      let apart = earlier.happened.duration(to: later.happened).milliseconds
      #expect(abs(apart - later.rrIntervals.reduce(0, +)) < 1e-5)
    }
    // The rate is the running mean, in whole beats a minute.
    let rates = readings.compactMap(\.heartRate)
    #expect(rates.count > 110)
    #expect(rates.allSatisfy { $0 == $0.rounded() && (50...85).contains($0) })
  }

  @Test("delivers the same again, also to a consumer that is late")
  func repeatable() async {
    let one = readings(await run(SimulatedSensor(), seconds: 60))
    let other = readings(await run(SimulatedSensor(), seconds: 60))
    #expect(one == other)
    let clock = HandClock()
    let sensor = SimulatedSensor()
    var late = sensor.events(on: clock).makeAsyncIterator()
    clock.advance(by: .seconds(61))
    var caughtUp: [HeartReading] = []
    while caughtUp.count < one.count, let event = await late.next() { caughtUp += readings([event]) }
    #expect(caughtUp == one)
  }

  @Test("lets its heart hear the stimulus")
  func stimulus() async {
    let sensor = SimulatedSensor(.init(heart: .init(rate: 60, variability: 0, response: 12)))
    let rates = readings(await run(sensor, seconds: 120, at: [(20, true), (60, false)])).map { $0.heartRate ?? 0 }
    #expect(rates[15] == 60)
    #expect(rates[58] > 70)
    #expect(rates[115] < 62)
  }

  @Test("loses contact and connection for the part of the time that was asked for")
  func dropouts() async {
    let sensor = SimulatedSensor(.init(dropouts: 0.2, losses: 0.1))
    let events = await run(sensor, seconds: 3000)
    let readings = readings(events)
    let off = readings.filter { $0.contact == false }
    #expect(off.allSatisfy { $0.heartRate == nil && $0.rrIntervals.isEmpty })
    #expect((0.12...0.28).contains(Double(off.count) / Double(readings.count)))
    #expect((0.05...0.16).contains(1 - Double(readings.count) / 3000))
    // Every loss is told once, and followed by a connection before anything is delivered.
    var isConnected = false
    for event in events {
      switch event {
      case .connected:
        #expect(!isConnected)
        isConnected = true
      case .lost:
        #expect(isConnected)
        isConnected = false
      default: #expect(isConnected)
      }
    }
    // No interval spans a dropout.
    #expect(readings.flatMap(\.rrIntervals).allSatisfy { $0 < 1500 })
  }

  @Test("arrives later by its latency, and says so")
  func latency() async {
    let clock = HandClock()
    let start = clock.now
    let sensor = SimulatedSensor(.init(latency: .milliseconds(700)))
    #expect(sensor.source.latency == .milliseconds(700))
    let prompt = readings(await run(SimulatedSensor(), seconds: 20))
    let late = readings(await run(sensor, seconds: 20, clock: clock))
    for (early, late) in zip(prompt, late) {
      #expect(early.arrived.duration(to: late.arrived) == .milliseconds(700))
      if !early.rrIntervals.isEmpty { #expect(early.happened == late.happened) }
    }
    #expect(start < clock.now)
  }
}

@Suite("A scripted sensor")
struct ScriptedSensorTests {
  @Test("says what it was told to, when it was told to")
  func script() async {
    let clock = HandClock()
    let sensor = ScriptedSensor([
      .init(at: .seconds(3), .ended(reason: "over")), .reading(at: .seconds(2), heartRate: 72, latency: .seconds(1)),
      .init(at: .zero, .connected(nil)),
    ])
    let start = clock.now
    var events = sensor.events(on: clock).makeAsyncIterator()
    #expect(await events.next() == .connected(nil))
    clock.advance(by: .seconds(2))
    #expect(
      await events.next()
        == .readings([HeartReading(heartRate: 72, happened: start.advanced(by: .seconds(1)), arrived: clock.now)]))
    clock.advance(by: .seconds(1))
    #expect(await events.next() == .ended(reason: "over"))
    #expect(await events.next() == nil)
    sensor.stimulusChanged(isSounding: true, at: start)
    #expect(sensor.stimulusChanges.map(\.isSounding) == [true])
  }

  @Test("stays silent after its last word until nobody listens")
  func silence() async {
    let clock = HandClock()
    let sensor = ScriptedSensor(beatsApart: [800, 900])
    let (heard, ear) = AsyncStream.makeStream(of: SensorEvent.self)
    let events = sensor.events(on: clock)
    let consumer = Task {
      for await event in events { ear.yield(event) }
      ear.finish()
    }
    clock.advance(by: .seconds(10))
    var words = heard.makeAsyncIterator()
    var intervals: [Double] = []
    for _ in 0..<4 {
      if case .readings(let readings) = await words.next() { intervals += readings.flatMap(\.rrIntervals) }
    }
    #expect(intervals == [800, 900])
    consumer.cancel()
    #expect(await words.next() == nil)
  }
}

import Sensors
import TestSupport
import Testing

@testable import Quantities
@testable import Session

@Suite("A check of sensors before a trial")
struct SensorCheckTests {
  private let clock = HandClock()

  private func needs(_ quantities: [QuantityType]) -> [SensorCheck.Need] {
    quantities.map { .init(recorder: "\($0)", sensor: "strap", quantity: $0) }
  }

  /// Checks a sensor with such a script for ten seconds; gives the causes and how long it took.
  private func check(
    _ cues: [ScriptedSensor.Cue], _ quantities: [QuantityType] = [.heartRate], isRecording: Bool = false
  ) async throws -> (causes: [SensorCheck.Shortfall.Cause], length: Duration) {
    let script = ScriptedSensor(cues, source: SensorSource(name: "strap"))
    let hub = try SensorHub([isRecording ? RecordedSensor(script: script) : script as any Sensor], clock: clock)
    let start = clock.now
    let executor = QuietExecutor()
    return await withTaskGroup { group in
      group.addTask(executorPreference: executor) {
        await hub.run()
        return nil as ([SensorCheck.Shortfall], Moment)?
      }
      let needs = needs(quantities)
      group.addTask(executorPreference: executor) { [clock] in
        (await SensorCheck(needs, within: .seconds(10)).run(hub), clock.now)
      }
      group.addTask { [clock] in
        while !Task.isCancelled {
          await executor.idle()
          if let next = clock.nextDeadline { clock.advance(to: next) }
          await Task.yield()
        }
        return nil
      }
      defer { group.cancelAll() }
      while let result = await group.next() {
        if let (shortfalls, end) = result { return (shortfalls.map(\.cause), start.duration(to: end)) }
      }
      return ([], .zero)
    }
  }

  private static let connection = ScriptedSensor.Cue(at: .zero, .connected(nil))

  @Test("waits no longer once one of several sensors has ended, whichever comes first")
  func oneHasEnded() async throws {
    let silent = ScriptedSensor([Self.connection], source: SensorSource(name: "a"))
    let dead = ScriptedSensor([.init(at: .seconds(1), .ended(reason: "gone"))], source: SensorSource(name: "b"))
    let hub = try SensorHub([silent, dead], clock: clock)
    let needs = ["a", "b"].map { SensorCheck.Need(recorder: $0, sensor: $0, quantity: .heartRate) }
    let (start, executor) = (clock.now, QuietExecutor())
    let (shortfalls, end) = await withTaskGroup { group in
      group.addTask(executorPreference: executor) {
        await hub.run()
        return nil as ([SensorCheck.Shortfall], Moment)?
      }
      group.addTask(executorPreference: executor) { [clock] in
        (await SensorCheck(needs, within: .seconds(10)).run(hub), clock.now)
      }
      group.addTask { [clock] in
        while !Task.isCancelled {
          await executor.idle()
          if let next = clock.nextDeadline { clock.advance(to: next) }
          await Task.yield()
        }
        return nil
      }
      defer { group.cancelAll() }
      while let result = await group.next() {
        if let result { return result }
      }
      return ([], start)
    }
    #expect(shortfalls.map(\.cause) == [.silent, .ended("gone")])
    #expect(start.duration(to: end) < .seconds(10))
  }

  @Test("ends with the first plausible sample, long before its limit")
  func passes() async throws {
    let beats = [Self.connection, .reading(at: .seconds(1), heartRate: 72), .reading(at: .seconds(30), heartRate: 72)]
    let (causes, length) = try await check(beats)
    #expect(causes.isEmpty)
    #expect(length >= .seconds(1) && length < .seconds(10))
  }

  @Test(
    "says what a sensor lacks",
    arguments: [
      ([connection], .silent),
      ([connection, .reading(at: .seconds(1), heartRate: 72, contact: false)], .offSkin),
      ([connection, .reading(at: .seconds(1), heartRate: 900)], .implausible(900)),
      ([connection, .reading(at: .seconds(1), heartRate: nil, rrIntervals: [800])], .otherQuantities),
      (
        [
          connection, .init(at: .seconds(1), .unreadable(line: 1, reason: "no number")),
          .init(at: .seconds(2), .skipped(count: 3, firstLine: 2, reason: "no number")),
        ], .unreadable(4, SensorSigns.Fault(line: 1, reason: "no number"))
      ),
      ([.init(at: .zero, .lost(reason: "refused"))], .lost("refused")), ([], .unanswered),
      // What it sent before it was lost says nothing of now.
      (
        [connection, .init(at: .seconds(1), .lost(reason: "gone"))], .lost("gone")
      ),
    ] as [([ScriptedSensor.Cue], SensorCheck.Shortfall.Cause)])
  func lacks(cues: [ScriptedSensor.Cue], cause: SensorCheck.Shortfall.Cause) async throws {
    let (causes, length) = try await check(cues)
    #expect(causes == [cause])
    #expect(length >= .seconds(10))
  }

  @Test("does not wait for a sensor that is dead from the start")
  func dead() async throws {
    let (causes, length) = try await check([Self.connection, .init(at: .milliseconds(5), .ended(reason: "status 3"))])
    #expect(causes == [.ended("status 3")])
    #expect(length < .seconds(3))
  }

  @Test(
    "says which line could not be read where a sensor ends without a sample",
    arguments: [
      ([], ["status 0; line 1 could not be read: “hello” is not a number"]),
      ([.reading(at: .milliseconds(3), heartRate: 72)], ["status 0"]),
    ] as [([ScriptedSensor.Cue], [String])])
  func unreadableEnd(others: [ScriptedSensor.Cue], reasons: [String]) async throws {
    let cues =
      [Self.connection, .init(at: .milliseconds(2), .unreadable(line: 1, reason: "“hello” is not a number"))] + others
      + [.init(at: .milliseconds(5), .ended(reason: "status 0"))]
    // A heart rate alone is less than what is needed.
    #expect(try await check(cues, [.rrInterval]).causes == reasons.map { .ended($0) })
  }

  @Test("asks for every quantity that is recorded")
  func quantities() async throws {
    let rateOnly = [Self.connection, .reading(at: .seconds(1), heartRate: 72)]
    #expect(try await check(rateOnly, [.heartRate, .rrInterval]).causes == [.otherQuantities])
    let both = [Self.connection, .reading(at: .seconds(1), heartRate: 72, rrIntervals: [830])]
    #expect(try await check(both, [.heartRate, .rrInterval]).causes.isEmpty)
  }

  @Test("asks of a recording only that it is there")
  func recording() async throws {
    #expect(try await check([Self.connection], isRecording: true).causes.isEmpty)
    let ended = [Self.connection, ScriptedSensor.Cue(at: .zero, .ended(reason: "over"))]
    #expect(try await check(ended, isRecording: true).causes.count <= 1)
  }
}

/// A script that stands for a recording.
private struct RecordedSensor: Sensor {
  let script: ScriptedSensor
  var source: SensorSource { script.source }
  var isRecording: Bool { true }
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> { script.events(on: clock) }
}

import Foundation
import Sensors
import Study
import Synchronization
import TestSupport
import Testing

@testable import Quantities
@testable import Session

@Suite("A hub of sensors")
struct SensorHubTests {
  private let clock = HandClock()
  /// What gets stuck does so on threads of its own.
  private let executor = WideExecutor()

  /// What a listener heard, in order.
  private final class Ear: Sendable {
    private let heard = Mutex<[(sensor: String, event: SensorEvent)]>([])
    func hear(_ sensor: String, _ event: SensorEvent) { heard.withLock { $0.append((sensor, event)) } }
    func events(of sensor: String) -> [SensorEvent] {
      heard.withLock { $0 }.filter { $0.sensor == sensor }.map(\.event)
    }
    func rates(of sensor: String) -> [Double] {
      events(of: sensor).flatMap { event in
        guard case .readings(let readings) = event else { return [Double]() }
        return readings.compactMap(\.heartRate)
      }
    }
  }

  private func sensor(_ name: String, _ cues: [ScriptedSensor.Cue]) -> ScriptedSensor {
    ScriptedSensor([.init(at: .zero, .connected(nil))] + cues, source: SensorSource(name: name))
  }

  private func batch(_ count: Int) -> SensorEvent {
    let moment = Moment(nanoseconds: 0)
    return .readings((0..<count).map { HeartReading(heartRate: Double($0), happened: moment, arrived: moment) })
  }

  private func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

  @Test("refuses two sensors of one name, with the remedy")
  func twins() {
    #expect(
      throws: SensorError(
        "use the sensor", "strap", "two sensors have this name", advice: "give each a name of its own")
    ) {
      _ = try SensorHub([sensor("strap", []), sensor("strap", [])], clock: clock)
    }
  }

  @Test("whose listener is stuck with one sensor's flood still serves the other sensor, and whoever asks")
  func stuckListener() async throws {
    let hub = try SensorHub(
      [sensor("flood", [.init(at: .zero, batch(65_536))]), sensor("strap", [.reading(at: .zero, heartRate: 70)])],
      clock: clock)
    let ear = Ear()
    let stuck = Mutex(false)
    let release = DispatchSemaphore(value: 0)
    await hub.listen { sensor, event in
      if sensor == "flood", case .readings = event, !stuck.withLock({ $0 }) {
        stuck.withLock { $0 = true }
        release.wait()
      }
      ear.hear(sensor, event)
    }
    await withTaskGroup { group in
      group.addTask(executorPreference: executor) { await hub.run() }
      await until { stuck.withLock { $0 } && ear.rates(of: "strap") == [70] }
      // None of these waits for the listener.
      await hub.settle(within: .seconds(1))
      #expect(
        hub.missing.isEmpty && hub.muteSince("flood") == nil && hub.signs(of: "flood").readings == SensorHub.pieceSize)
      release.signal()
      await until { ear.rates(of: "flood").count == 65_536 }
      #expect(ear.rates(of: "flood") == (0..<65_536).map(Double.init))
      group.cancelAll()
    }
  }

  @Test("A sensor that always sends more does not hold up whoever begins to listen")
  func endless() async throws {
    let (stream, sender) = AsyncStream.makeStream(of: SensorEvent.self)
    let hub = try SensorHub([EndlessSensor(stream: stream)], clock: clock)
    let heard = Mutex((count: 0, isFed: true))
    await withTaskGroup { group in
      group.addTask(executorPreference: executor) { await hub.run() }
      sender.yield(.connected(nil))
      await hub.settle(within: .seconds(1))
      // Each event that is handed on here brings one more; a hundred, should they all be handed on here.
      await hub.listen { sensor, _ in
        let (count, isFed) = heard.withLock { heard in
          heard.count += 1
          return heard
        }
        guard isFed, count <= 100 else { return }
        sender.yield(batch(1))
        // Far longer than it takes, so that a hub that never counts them fails the test and does not hold it up.
        var patience = 100_000
        while patience > 0, hub.signs(of: sensor).readings < count {
          usleep(100)
          patience -= 1
        }
      }
      let count = heard.withLock { heard in
        heard.isFed = false
        return heard.count
      }
      #expect(count < 100)
      await until { heard.withLock { $0.count > 1 } }
      group.cancelAll()
    }
  }

  @Test("tells a listener nothing more once it was stopped, and counts what it was not told")
  func stopped() async throws {
    let sensor = CountedSensor(readings: 5000, script: sensor("strap", [.init(at: .zero, batch(5000))]))
    let hub = try SensorHub([sensor], clock: clock)
    let ear = Ear()
    let stuck = Mutex(false)
    let release = DispatchSemaphore(value: 0)
    let listening = await hub.listen { sensor, event in
      ear.hear(sensor, event)
      if case .readings = event {
        stuck.withLock { $0 = true }
        release.wait()
      }
    }
    await withTaskGroup { group in
      group.addTask(executorPreference: executor) { await hub.run() }
      await until { stuck.withLock { $0 } }
      async let caughtUp: Void = hub.catchUp(within: .seconds(1))
      await until { clock.sleeperCount > 0 && clock.nextDeadline == clock.now.advanced(by: .seconds(1)) }
      clock.advance(by: .seconds(1))
      await caughtUp
      async let missed = hub.stopListening(listening, within: .seconds(3600))
      // It waits for what the listener is being told.
      // The other who sleeps watches whether the sensor stays mute.
      await until { clock.sleeperCount == 2 }
      release.signal()
      #expect(await missed == ["strap": 5000 - SensorHub.pieceSize])
      #expect(ear.rates(of: "strap").count == SensorHub.pieceSize)
      // The next trial is not told what is missing of this one.
      let next = await hub.listen { _, _ in }
      await hub.catchUp(within: .seconds(3600))
      #expect(await hub.stopListening(next).isEmpty)
      group.cancelAll()
    }
  }

  @Test("Two listeners hear every reading each, and one goes on when the other stops")
  func twoListeners() async throws {
    let (stream, sender) = AsyncStream.makeStream(of: SensorEvent.self)
    let hub = try SensorHub([PushedSensor(stream: stream)], clock: clock)
    let ears = [Ear(), Ear()]
    await withTaskGroup { group in
      group.addTask(executorPreference: executor) { await hub.run() }
      let first = await hub.listen { ears[0].hear($0, $1) }
      sender.yield(batch(2))
      await until { ears[0].rates(of: "pushed").count == 2 }
      // What comes before the second one listens is kept for it, and heard by the first as well.
      hub.keepSamples()
      sender.yield(batch(3))
      await until { ears[0].rates(of: "pushed").count == 5 }
      let second = await hub.listen { ears[1].hear($0, $1) }
      sender.yield(batch(4))
      await until { ears.map { $0.rates(of: "pushed").count } == [9, 7] }
      #expect(await hub.stopListening(second).isEmpty)
      sender.yield(batch(1))
      await until { ears[0].rates(of: "pushed").count == 10 }
      #expect(ears[1].rates(of: "pushed").count == 7)
      #expect(await hub.stopListening(first).isEmpty)
      group.cancelAll()
    }
  }

  @Test("No presenter keeps a sample from the journal")
  func stuckPresenter() async throws {
    let presenter = StuckPresenter()
    let journal = MemoryJournal()
    let log = TrialLog(journal: journal, zero: clock.now, clock: clock)
    let recorder = ReadingsRecorder(
      log: log, presenters: Presenters(presenter), inbox: TrialInbox(clock: clock))
    recorder.show(.rest(seconds: 1) { _ in })
    let readings = (1...500).map { ScriptedSensor.Cue.reading(at: .milliseconds($0), heartRate: 60) }
    let hub = try SensorHub([sensor("strap", readings)], clock: clock)
    await withTaskGroup { group in
      group.addTask(executorPreference: executor) { await recorder.present() }
      let listening = await hub.listen { recorder.hear($0, $1) }
      group.addTask(executorPreference: executor) { await hub.run() }
      recorder.notice("look")
      await until { presenter.isStuck }
      await until {
        if let next = clock.nextDeadline { clock.advance(to: next) }
        return journal.records.count >= 501
      }
      presenter.release()
      await hub.stopListening(listening)
      group.cancelAll()
    }
    // Of five hundred rates the newest is shown, and no notice is lost.
    #expect(presenter.shown.contains(.noticed("look")))
    #expect(presenter.shown.count < 10)
  }
}

/// A sensor that sends what a test gives it.
private struct EndlessSensor: Sensor {
  let source = SensorSource(name: "endless")
  let stream: AsyncStream<SensorEvent>
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> { stream }
}

/// A sensor that says how many readings it has taken in.
private struct CountedSensor: Sensor {
  let readings: Int
  let script: ScriptedSensor
  var source: SensorSource { script.source }
  var readingsTaken: Int? { readings }
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> { script.events(on: clock) }
}

/// A presenter whose terminal has stopped.
private final class StuckPresenter: Presenter {
  private let events = Mutex<[PresentedEvent]>([])
  private let state = Mutex((isStuck: false, isReleased: false))
  private let semaphore = DispatchSemaphore(value: 0)

  var shown: [PresentedEvent] { events.withLock { $0 } }
  var isStuck: Bool { state.withLock { $0.isStuck } }

  func show(_ screen: Screen) {}
  func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect { .none }

  func tell(_ event: PresentedEvent, of step: Step) {
    let waits = state.withLock { state in
      state.isStuck = true
      return !state.isReleased
    }
    if waits { semaphore.wait() }
    events.withLock { $0.append(event) }
  }

  func release() {
    state.withLock { $0.isReleased = true }
    semaphore.signal()
  }
}

/// An executor with a thread of its own for every job, so that a listener that is stuck holds up no other test.
private final class WideExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

import Basics
import Charts
import Glibc
import Laboratory
import Quantities
import SampleStore
import Sensors
import Session
import Synchronization

extension Command {
  /// A person's mean heart rate, which is saved.
  static let measure = Command(
    "measure", "measures a mean heart rate with a sensor, such as a camera, and saves it", takesInterrupts: true,
    options: [
      .init(
        "sensor", value: "SENSOR",
        "the sensor, such as camera:/dev/video0 (default: that of heartRate in the settings)"),
      .init("for", value: "TIME", "how long to measure: 10s to 10min (default: 30s)"),
      .init("participant", value: "ID", "the participant (default: none)"),
      .init("no-save", "only print the result"), .json(),
    ] + StoreLocation.options
  ) { try await MeasureRequest($0).run() }
}

private struct MeasureRequest {
  private let address: SensorAddress
  private let length: Duration
  private let participant: String?
  private let isSaved: Bool
  private let isJSON: Bool
  private let location: StoreLocation

  init(_ arguments: Arguments) throws {
    let settings = try AppliedSettings(arguments)
    if let text = arguments["sensor"] {
      address = try arguments.checked { try settings.address(text) }
    } else if let known = settings.sensors.first(where: { $0.value.name == QuantityType.heartRate.channelName }) {
      address = known.value.address
    } else {
      throw arguments.refusal("missing --sensor, for example --sensor camera:/dev/video0")
    }
    length = try arguments.duration("for", 10...600, "a time from 10s to 10min") ?? .seconds(30)
    participant = try arguments.code("participant")
    isSaved = !arguments.has("no-save")
    isJSON = arguments.isJSON
    location = StoreLocation(arguments)
  }

  func run() async throws -> ExitStatus {
    // What cannot work is known before anyone holds still: a sensor that is not there, a store that cannot be written.
    guard try !address.sensor().source.name.namesSimulation || !isSaved else {
      throw Failure(
        "--sensor \(address.text) needs --no-save: the store takes no measurement of a simulated sensor",
        status: .wrongUsage)
    }
    let store = try await isSaved ? openStore() : nil
    let console = Console.standard
    console.decouple()
    let isInterrupted = Mutex(false)
    let bell = Bell()
    Interrupts.onEach { _ in
      isInterrupted.withLock { $0 = true }
      bell.ring()
    }
    while true {
      let (measurement, clock) = try await measure(until: bell, console)
      if isInterrupted.withLock({ $0 }) {
        console.report("stopped; nothing was saved")
        return .failed
      }
      switch measurement.phase {
      case .done(let mean):
        try await finish(mean, measurement.device, clock, store)
        return .done
      case .failed(let failure):
        report(failure, console)
        guard !isJSON, console.isTerminal, Keyboard.isTerminal, await isRepeated(console) else { return .failed }
      case .waiting, .measuring: return .failed
      }
    }
  }

  /// Opens the store, or makes it in a results folder that may be new; refuses a client that may not write.
  private func openStore() async throws -> SampleStore {
    if let store = try await location.openIfThere() {
      try await store.requireLeave(toSave: .quantity(.heartRate))
      return store
    }
    if !location.isServer { try Folder.ensure(Folder.parent(of: location.path)) }
    return try await location.openOrMake()
  }

  /// A measurement, and the wave that is shown meanwhile.
  private final class Course: Sendable {
    private let state: Mutex<(measurement: SpotMeasurement, wave: MeasuredWave)>

    init(_ measurement: SpotMeasurement) { state = Mutex((measurement, MeasuredWave())) }

    var measurement: SpotMeasurement { state.withLock { $0.measurement } }

    /// Takes what the sensor says; returns whether the measurement is over.
    func take(_ event: SensorEvent, at now: Moment) -> Bool {
      state.withLock { state in
        state.measurement.take(event, at: now)
        state.wave.take(event)
        return state.measurement.isOver
      }
    }

    func tick(at now: Moment) -> (SpotMeasurement, MeasuredWave) {
      state.withLock { state in
        state.measurement.tick(at: now)
        return state
      }
    }
  }

  private func measure(until bell: Bell, _ console: Console) async throws -> (SpotMeasurement, any StationClock) {
    let sensor = try address.sensor()
    let clock: any StationClock = sensor.isRecording ? RecordingClock() : MonotonicClock()
    let course = Course(SpotMeasurement(for: length, from: clock.now))
    let screen = console.canRedraw && !isJSON && !sensor.isRecording ? FullScreen(console) : nil
    defer { screen?.leave() }
    if screen == nil, !isJSON { console.line("measuring with \(address.text) …") }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await event in sensor.events(on: clock) where course.take(event, at: clock.now) { break }
        bell.ring()
      }
      if !sensor.isRecording {
        group.addTask {
          while (try? await clock.sleep(for: .milliseconds(100))) != nil {
            let (measurement, wave) = course.tick(at: clock.now)
            if let screen {
              let size = TerminalSize.current ?? TerminalSize(columns: 80, rows: 24)
              screen.draw(MeasureScreen(size: size).rows(measurement, wave.trace, of: length))
            }
            if measurement.isOver || console.isUnread { bell.ring() }
          }
        }
      }
      _ = await bell.wait()
      group.cancelAll()
    }
    return (course.measurement, clock)
  }

  private func report(_ failure: MeasurementFailure, _ console: Console) {
    if isJSON { console.write(["failure": .string(failure.code), "reason": .string(failure.description)]) }
    console.report("no heart rate was measured: \(failure)")
  }

  /// Asks at a terminal whether to measure again.
  private func isRepeated(_ console: Console) async -> Bool {
    console.line("Return measures again, q and Return ends:")
    console.drain()
    // While nothing is measured, Ctrl-C ends the program.
    Interrupts.release()
    let answer = await WaitingThread.run { readLine() }
    Interrupts.takeAgain()
    return answer.map { !$0.lowercased().hasPrefix("q") } ?? false
  }

  private func finish(
    _ mean: SpotMeasurement.Mean, _ device: Device?, _ clock: any StationClock, _ store: SampleStore?
  ) async throws {
    // A recording was measured faster than it was made: it is dated as if it had ended now.
    let (now, wall) = (clock.now, WallTime.now)
    func date(_ moment: Moment) -> WallTime { wall.advanced(by: .zero - moment.duration(to: now)) }
    let (start, end) = (date(mean.start), date(mean.end))
    var metadata: [String: Metadata.Value] = [Metadata.Key.timeZone: .string(TimeZone.current.name)]
    metadata[Metadata.Key.participant] = participant.map { .string($0) }
    metadata[Metadata.Key.heartRateSensorLocation] = address.location.map { .number(Double($0.rawValue)) }
    let sample = try QuantitySample(
      uuid: UUID(), type: .heartRate, quantity: Quantity(mean.rate, .countPerMinute), start: start, end: end,
      sourceRevision: .of("measure", client: store?.client), device: device, metadata: Metadata(metadata))
    try await store?.save([sample])
    let console = Console.standard
    guard !isJSON else {
      return console.write([
        "heartRate": .number(mean.rate), "unit": .string(Unit.countPerMinute.symbol),
        "startDate": .string(start.precise), "endDate": .string(end.precise), "quality": .finite(mean.quality),
        "coverage": .number(mean.coverage), "intervals": mean.intervals.map { .integer($0) } ?? .null,
        "sensor": .string(address.text), "device": .text(device?.name), "participant": .text(participant),
        "uuid": store == nil ? .null : .string("\(sample.uuid)"),
      ])
    }
    let length = mean.start.duration(to: mean.end)
    let quality = mean.quality.map { ", signal quality \(($0 * 100).fixed(0)) %" } ?? ""
    let beats = mean.intervals.map { "\($0.counted("interval")) in " } ?? ""
    console.line("heart rate: \(mean.rate.fixed(1)) /min (\(beats)\(length.seconds.fixed(1)) s\(quality))")
    guard store != nil else { return console.line("not saved") }
    console.line("saved\(participant.map { " for \($0)" } ?? ""): \(sample.uuid)")
  }
}

/// The screen of a running measurement.
private struct MeasureScreen {
  let size: TerminalSize

  /// The rows: the wave, the heart rate, how far it is, and what is wrong.
  func rows(_ measurement: SpotMeasurement, _ wave: [Double], of length: Duration) -> [String] {
    let columns = max(20, min(size.columns - 2, 100))
    var rows: [String] = []
    if !wave.isEmpty { rows += WaveLine.rows(wave, columns: columns, rows: max(1, min(6, size.rows - 6))) + [""] }
    rows.append(measurement.rate.map { "heart rate  \($0.fixed(0)) /min" } ?? "heart rate  –")
    if let quality = measurement.quality { rows.append("quality     \((quality * 100).fixed(0)) %") }
    switch measurement.phase {
    case .waiting: rows.append("waiting for a steady signal: \(measurement.problem?.words ?? "hold still")")
    case .measuring:
      let width = columns - 12
      let done = max(0, min(width, Int(Double(width) * measurement.progress)))
      rows.append("measuring   " + String(repeating: "█", count: done) + String(repeating: "░", count: width - done))
      let problem = measurement.problem.map { "\($0.words): \($0.advice)" }
      rows.append(problem ?? "hold still; \(length.seconds.fixed(0)) s in all")
    case .done, .failed: break
    }
    return rows
  }
}

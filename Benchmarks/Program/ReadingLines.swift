import Quantities
import Sensors

/// `benchmark lines TARGET`: reads what a `lines:` sensor delivers to its end, and counts it.
struct ReadingLines {
  private let sensor: LinesSensor

  init(target: String) throws {
    guard let target = try SensorAddress("lines:\(target)").kind as? LineTarget else { throw WrongUsage() }
    sensor = LinesSensor(target, pace: .unbounded)
  }

  func run() async throws {
    var readings = 0
    var unreadable = 0
    var dropped = 0
    for await event in sensor.events(on: MonotonicClock()) {
      switch event {
      case .readings(let batch): readings += batch.count
      case .unreadable: unreadable += 1
      case .skipped(let count, _, _): unreadable += count
      case .overflowed(let count): dropped += count
      case .waveform, .connected, .clockMeasured, .noted, .lost, .ended: break
      }
    }
    print("readings=\(readings) unreadable=\(unreadable) dropped=\(dropped)")
  }
}

import Basics
import Quantities
import Sensors

/// `benchmark pulse ADDRESS…`: reads films as fast as possible, and prints one line a film: its beats with their times in
/// seconds after the first picture.
struct WatchingPulses {
  private let addresses: [SensorAddress]

  init(_ words: [String]) throws { addresses = try words.map { try SensorAddress($0) } }

  func run() async throws {
    for address in addresses {
      let clock = RecordingClock()
      let (start, latency) = (clock.now, address.latency)
      var beats: [String] = []
      for await event in try address.sensor().events(on: clock) {
        guard case .readings(let readings) = event else { continue }
        for reading in readings {
          guard let interval = reading.rrIntervals.last, let rate = reading.heartRate else { continue }
          let time = start.duration(to: reading.happened) + latency
          beats.append("\(time.seconds),\(interval),\(rate)")
        }
      }
      print(beats.joined(separator: " "))
    }
  }
}

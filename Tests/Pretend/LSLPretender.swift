import Quantities

@testable import Sensors

/// A stream of a simulated heart, so that a laboratory can rehearse with the Lab Streaming Layer.
struct LSLPretender: Sendable {
  /// The stream's name.
  private let name: String

  /// Creates a stream that is offered when it is run.
  init(name: String = "station rehearsal") { self.name = name }

  /// Offers the stream, and sends the heart's beats until the task is cancelled.
  ///
  /// - Parameters:
  ///   - clock: the clock of the heart.
  ///   - report: is given the sensor's address when the stream is offered.
  /// - Throws: ``SensorError`` where the library is not installed.
  func run(on clock: any StationClock, report: (String) -> Void) async throws {
    var stream = LSLStream()
    (stream.name, stream.type, stream.count) = (name, "HeartRate", 2)
    stream.source = "station-\(name)"
    stream.labels = [
      LSLStream.Label(label: "heartRate", type: "HeartRate", unit: "count/min"),
      LSLStream.Label(label: "rrInterval", type: "RR", unit: "ms"),
    ]
    let outlet: LSLOutlet
    do throws(LinkFault) { outlet = try LSLOutlet(stream) } catch {
      throw SensorError("pretend to be", "lsl", error.reason)
    }
    report("lsl:\(name)")
    var heart = SimulatedHeart()
    let start = clock.now
    var last: Double?
    while !Task.isCancelled, let beat = heart.nextBeat(until: .infinity) {
      let moment = start.advanced(by: .seconds(beat))
      do { try await clock.sleep(until: moment, tolerance: nil) } catch { return }
      if let last { outlet.push([60 / (beat - last), (beat - last) * 1000], at: moment) }
      last = beat
    }
  }
}

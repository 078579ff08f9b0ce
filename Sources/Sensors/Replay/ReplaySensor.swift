public import Quantities
import Synchronization

/// A sensor that repeats a recording at the pace at which it was made.
///
/// The file is NDJSON or CSV as ``LinesSensor`` reads them, or a bundle's `heart.json`; its content tells which. The
/// first reading comes at once, the others as much later as they were recorded later: by `t` (`t_ns`, or else `startDate`,
/// in a `heart.json`); in lines without `t`, each follows by the sum of its intervals, or by a second where it has none. NDJSON
/// and CSV are read as they are needed, so that a day takes no more memory than a minute.
public struct ReplaySensor: Sensor {
  /// Where its readings come from.
  public let source: SensorSource

  private let recording: ReplayFile

  /// A sensor that repeats a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - sourceName: which source's items of a `heart.json` are repeated; it must be said where there are several.
  ///   - recorder: which recorder's; it must be said where several recorded the same quantity.
  ///   - latency: how long after it happened a reading arrives.
  ///   - name: the sensor as the operator named it; made of the path when `nil`.
  ///   - location: where on the body it sat.
  /// - Throws: ``SensorError`` where there is no such file or it holds no recording, with the line of the fault.
  public init(
    _ path: String, choosing sourceName: String? = nil, recorder: String? = nil, latency: Duration = .zero,
    name: String? = nil, location: Metadata.SensorLocation? = nil
  ) throws(SensorError) {
    recording = try ReplayFile(path, ReplayFile.Choice(source: sourceName, recorder: recorder))
    source = SensorSource(
      name: name ?? "replay:\(path)", latency: latency, device: recording.sourceName.map { Device(name: $0) },
      location: location)
  }

  /// Begins to repeat.
  public func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let player = Player(recording, latency: source.latency, device: source.device, start: clock.now)
    return AsyncStream {
      guard let (moment, event) = player.next() else { return nil }
      guard let moment else { return event }
      do {
        try await clock.sleep(until: moment, tolerance: nil)
      } catch {
        return nil
      }
      return event
    }
  }

  /// How far a stream is in its recording.
  private final class Player: Sendable {
    private struct State: Sendable {
      var tape: ReplayFile.Tape?
      var ahead: ReplayFile.Entry?
      var isBegun = false
      var isOver = false
      var first: Double?
    }

    private let recording: ReplayFile
    private let latency: Duration
    private let device: Device?
    private let start: Moment
    private let state = Mutex(State())

    init(_ recording: ReplayFile, latency: Duration, device: Device?, start: Moment) {
      self.recording = recording
      self.latency = latency
      self.device = device
      self.start = start
    }

    /// The next event, and when it is due; at once where that is `nil`.
    func next() -> (Moment?, SensorEvent)? {
      state.withLock { state in
        guard !state.isOver else { return nil }
        do throws(SensorError) {
          guard state.isBegun else {
            state.isBegun = true
            state.tape = try recording.tape()
            return (nil, .connected(device))
          }
          guard let entry = try take(&state) else {
            state.isOver = true
            return (nil, .ended(reason: "“\(recording.path)” has ended"))
          }
          switch entry {
          case .fault(let line, let reason): return (nil, .unreadable(line: line, reason: reason))
          case .sample(let time, _):
            let first = state.first ?? time
            state.first = first
            let happened = start.advanced(by: Duration(seconds: time - first))
            let arrived = happened.advanced(by: latency)
            var readings: [HeartReading] = []
            var next: ReplayFile.Entry? = entry
            while readings.count < 4096, case .sample(time, let sample) = next {
              readings.append(
                HeartReading(
                  heartRate: sample.heartRate, rrIntervals: sample.rrIntervals, contact: sample.contact,
                  happened: happened, arrived: arrived, senderTime: sample.time))
              next = try take(&state)
            }
            state.ahead = next
            return (arrived, .readings(readings))
          }
        } catch {
          state.isOver = true
          return (nil, .ended(reason: error.description))
        }
      }
    }

    private func take(_ state: inout State) throws(SensorError) -> ReplayFile.Entry? {
      if let ahead = state.ahead {
        state.ahead = nil
        return ahead
      }
      return try state.tape?.next()
    }
  }
}

import Basics
import Quantities

/// A sensor that replays a recording at its original pace.
///
/// The file is EDF, BDF or the header of a WFDB record, whose signals are replayed as waveforms, NDJSON or CSV as
/// ``LinesSensor`` reads them, or a bundle's `heart.json`; the content determines the format. The first sample is
/// delivered immediately, the others with the delays of the recording: by `t` (`t_ns`, or else `startDate`, in a
/// `heart.json`); in lines without `t`, each follows by the sum of its intervals, or by a second if it has none. NDJSON
/// and CSV are read on demand, so that a day takes no more memory than a minute.
struct ReplaySensor: Sensor {
  /// The source that its samples are attributed to; the name of one with simulated data begins with their mark.
  let source: SensorSource

  /// The quantities of a file of signals; what other recordings hold is known when it is delivered.
  var channels: [Channel] { recording.signals?.channels ?? [] }

  /// `true`: the samples were measured before.
  var isRecording: Bool { true }

  private let recording: ReplayFile

  /// Creates a sensor that replays a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - sourceName: the source whose items of a `heart.json` are replayed; required if there are several.
  ///   - recorder: the recorder whose items are replayed; required if several recorded the same quantity.
  ///   - block: the length of a delivered block of a signal; `nil` is 0.2 s.
  ///   - latency: the delay from a sample's time to its delivery.
  ///   - name: the sensor as the operator named it; derived from the path if `nil`.
  ///   - location: its place on the body.
  /// - Throws: ``SensorError`` if the file does not exist or holds no recording, with the line of the fault.
  init(
    _ path: String, choosing sourceName: String? = nil, recorder: String? = nil, block: Duration? = nil,
    latency: Duration = .zero, name: String? = nil, location: Metadata.SensorLocation? = nil
  ) throws(SensorError) {
    recording = try ReplayFile(path, ReplayFile.Choice(source: sourceName, recorder: recorder, block: block))
    let mark = recording.isSimulated ? "\(Source.simulationMark): " : ""
    source = SensorSource(
      name: mark + (name ?? "replay:\(path)"), latency: latency, device: recording.sourceName.map { Device(name: $0) },
      location: location)
  }

  /// Starts the replay.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    if let signals = recording.signals { return Self.events(of: signals, source, on: clock) }
    let player = Player(recording, latency: source.latency, device: source.device, start: clock.now)
    return AsyncStream {
      guard let (moment, event) = await player.next() else { return nil }
      guard let moment else { return event }
      do {
        try await clock.sleep(until: moment, tolerance: nil)
      } catch {
        return nil
      }
      return event
    }
  }

  private static func events(
    of signals: ReplayedSignals, _ source: SensorSource, on clock: any StationClock
  ) -> AsyncStream<SensorEvent> {
    let player = ReplayedSignals.Player(signals, latency: source.latency, device: source.device, start: clock.now)
    return AsyncStream {
      guard let (moment, event) = await player.next() else { return nil }
      guard let moment else { return event }
      do { try await clock.sleep(until: moment, tolerance: nil) } catch { return nil }
      return event
    }
  }

  /// A stream's position in its recording.
  ///
  /// The file is read on a separate thread, a piece at a time, so that a slow disk delays only this task.
  private actor Player {
    private let recording: ReplayFile
    private let latency: Duration
    private let device: Device?
    private let start: Moment
    private var source: (tape: ReplayFile.Tape, reader: ReplayFile.Reader?)?
    private var ahead: ReplayFile.Entry?
    private var note: String?
    private var isOver = false
    private var first: Double?

    init(_ recording: ReplayFile, latency: Duration, device: Device?, start: Moment) {
      self.recording = recording
      if recording.hasIntervalsOnly {
        note = "holds intervals and no heart rates: a recorder of rrInterval records them, and one of heartRate nothing"
      }
      self.latency = latency
      self.device = device
      self.start = start
    }

    /// The next event and when it is due; `nil` means immediately.
    func next() async -> (Moment?, SensorEvent)? {
      guard !isOver else { return nil }
      do throws(SensorError) {
        guard source != nil else {
          source = try await WaitingThread.run { [recording] in
            Result { () throws(SensorError) in try recording.tape() }
          }
          .get()
          return (nil, .connected(device))
        }
        if let text = note {
          note = nil
          return (nil, .noted(text))
        }
        guard let entry = try await take() else {
          isOver = true
          return (nil, .ended(reason: "“\(recording.path)” has ended"))
        }
        switch entry {
        case .fault(let line, let reason): return (nil, .unreadable(line: line, reason: reason))
        case .note(let text): return (nil, .noted(text))
        case .sample(let time, _): return try await batch(entry, at: time)
        }
      } catch {
        isOver = true
        return (nil, .ended(reason: error.description))
      }
    }

    /// The recording's samples at one instant, at most 4096.
    private func batch(_ entry: ReplayFile.Entry, at time: Double) async throws(SensorError) -> (Moment?, SensorEvent) {
      let first = first ?? time
      self.first = first
      let happened = start.advanced(by: Duration(seconds: time - first))
      let arrived = happened.advanced(by: latency)
      var readings: [HeartReading] = []
      var next: ReplayFile.Entry? = entry
      while readings.count < 4096, case .sample(time, let sample) = next {
        readings +=
          HeartReading(
            heartRate: sample.heartRate, rrIntervals: sample.rrIntervals, contact: sample.contact,
            happened: happened, arrived: arrived, senderTime: sample.time,
            samples: sample.values.map {
              ChannelSample($0.channel.type, $0.value, $0.channel.unit, happened: happened)
            }
          ).parts
        next = try await take()
      }
      ahead = next
      return (arrived, .readings(readings))
    }

    private func take() async throws(SensorError) -> ReplayFile.Entry? {
      if let ahead {
        self.ahead = nil
        return ahead
      }
      while let reader = source?.reader, source?.tape.needsMore ?? false {
        let bytes = try await WaitingThread.run { Result { () throws(SensorError) in try reader.read() } }.get()
        source?.tape.feed(bytes)
      }
      return source?.tape.next()
    }
  }
}

extension SensorTransport {
  /// A recording: NDJSON, CSV, a bundle's `heart.json`, or signals in EDF, BDF or WFDB (`FILE.hea`).
  ///
  /// `source=NAME` selects one of several sources in a recording, and `block_ms=10` is the length of the blocks in which a
  /// signal is delivered.
  static let replay = SensorTransport(
    scheme: "replay", rest: .required(reason: "the file is missing", advice: "say replay:FILE"),
    forms: [.init(text: "replay:FILE[#RECORDER]", meaning: "a recording: a bundle's heart.json, CSV or NDJSON")],
    nicknames: [.init(address: "replay:FILE", words: ["file", "csv", "edf", "recording", "record"], isVague: true)]
  ) { reader, rest throws(SensorError) in
    let (path, options) = try reader.split(rest ?? "", known: AddressReader.commonOptions + ["source", "block_ms"])
    guard !path.isEmpty else { throw reader.error("the file is missing", "say replay:FILE") }
    let block = try options["block_ms"].map { text throws(SensorError) in
      Duration(milliseconds: try reader.number("block_ms", text, 1...1000))
    }
    return (
      ReplaySettings(path: path, source: options["source"], block: block), try reader.latency(options),
      try reader.location(options["location"])
    )
  }
}

/// Which recording is replayed.
struct ReplaySettings: SensorKind {
  /// The path, which still includes `#` and the recorder.
  let path: String
  /// The source that is selected among several.
  let source: String?
  /// The length of the blocks in which a signal is delivered.
  var block: Duration?

  /// Creates the sensor, after the check that the file is a recording.
  func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    let (file, recorder) = fileAndRecorder
    return try ReplaySensor(
      file, choosing: source, recorder: recorder, block: block, latency: latency, name: name, location: location)
  }

  /// The file and the recorder after `#`; the `#` may also be part of a file name.
  private var fileAndRecorder: (file: String, recorder: String?) {
    guard let mark = path.lastIndex(of: "#"), !isThere(path) else { return (path, nil) }
    let file = String(path[..<mark])
    return isThere(file) ? (file, String(path[path.index(after: mark)...])) : (path, nil)
  }
}

package import Quantities
import Sound

/// The parameters of a microphone.
package struct MicrophoneSettings: Hashable, Sendable {
  /// The name of the sound server's source; `nil` for its default.
  var source: String?
  /// The sound server; `nil` for the one that runs.
  var server: Microphone.Server?
}

/// A source of a sound server: a microphone in the room, or the monitor of a sink.
///
/// It delivers the sound as a waveform (`roomSound`), which a trial keeps as a FLAC file, and once a second its level
/// (`roomSoundLevel`). A source that is lost is tried again with pauses of 0.5, 1, 2, 4 and then 8 s.
struct MicrophoneSensor: Sensor {
  /// The source that its samples are attributed to.
  let source: SensorSource

  /// The sound, whose rate is the source's, and its level.
  var channels: [Channel] { [Channel(.roomSound), Channel(.roomSoundLevel, rate: 1)] }

  /// The number of samples received over all streams.
  var readingsTaken: Int? { tally.count }

  private let settings: MicrophoneSettings
  private let tally = SampleTally()

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - settings: the source.
  ///   - latency: the delay from the air to the server that the server does not know.
  ///   - name: the sensor as the operator named it.
  /// - Throws: ``SensorError`` where the library that writes its files is missing.
  init(_ settings: MicrophoneSettings, latency: Duration, name: String) throws(SensorError) {
    do throws(SoundFileError) {
      try SoundFile.requireLibrary()
    } catch {
      throw SensorError("use the sensor", name, "\(error)")
    }
    self.settings = settings
    source = SensorSource(name: name, latency: latency)
  }

  /// Connects, and delivers what the source hears.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let thread = SensorThread.Settings(clock: clock, tally: tally, capacity: SampleQueue.maxFrames)
    // The server itself answers in time, or fails.
    return ConnectionFeed.events(
      of: .init(
        name: "the microphone", patience: nil, settings: thread,
        opening: .ahead { [settings, source] in
          await MicrophoneConnection.open(settings, latency: source.latency, on: thread)
        }))
  }
}

extension SensorTransport {
  /// The sound of the room: the default source of the sound server, or the one with a name; `microphone:pulse:SOURCE` or
  /// `microphone:pipewire:SOURCE` of one server.
  static let microphone = SensorTransport(
    scheme: "microphone", forms: [.init(text: "microphone[:SOURCE]")],
    nicknames: [.init(address: "microphone", words: ["mic", "micro", "sound", "audio", "room"])]
  ) { reader, rest throws(SensorError) in try reader.microphone(rest) }
}

extension MicrophoneSettings: SensorKind {
  /// Creates the sensor, after the check that the library that writes its files is installed.
  package func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    try MicrophoneSensor(self, latency: latency, name: name)
  }
}

extension AddressReader {
  fileprivate func microphone(_ rest: String?) throws(SensorError) -> SensorTransport.Reading {
    let (text, options) = try split(rest ?? "", known: ["latency_ms"])
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let server = parts.count == 2 ? Microphone.Server(rawValue: String(parts[0])) : nil
    let name = server == nil ? text : String(parts[1])
    guard !name.contains("\0"), name.utf8.count <= 1024 else { throw error("a source has no such name", nil) }
    let isDefault = name.isEmpty || name == "default"
    return (MicrophoneSettings(source: isDefault ? nil : name, server: server), try latency(options), nil)
  }
}

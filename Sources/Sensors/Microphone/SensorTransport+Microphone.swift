package import Quantities
import Sound

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

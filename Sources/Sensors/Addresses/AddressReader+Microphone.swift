import Quantities
import Sound

extension AddressReader {
  /// Reads what follows `microphone:`; all of it may be missing.
  func microphone(_ rest: String?) throws(SensorError) -> Reading {
    let (text, options) = try split(rest ?? "", known: ["latency_ms"])
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let server = parts.count == 2 ? Microphone.Server(rawValue: String(parts[0])) : nil
    let name = server == nil ? text : String(parts[1])
    guard !name.contains("\0"), name.utf8.count <= 1024 else { throw error("a source has no such name", nil) }
    let isDefault = name.isEmpty || name == "default"
    return (
      .microphone(MicrophoneSettings(source: isDefault ? nil : name, server: server)), try latency(options), nil
    )
  }
}

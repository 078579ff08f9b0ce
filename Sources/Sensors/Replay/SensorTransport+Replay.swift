import Basics
package import Quantities

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
package struct ReplaySettings: SensorKind {
  /// The path, which still includes `#` and the recorder.
  let path: String
  /// The source that is selected among several.
  let source: String?
  /// The length of the blocks in which a signal is delivered.
  var block: Duration?

  /// Creates the sensor, after the check that the file is a recording.
  package func sensor(
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

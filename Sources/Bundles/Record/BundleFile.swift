import Study

/// The files of a bundle.
enum BundleFile {
  static let data = "data"
  static let result = "data/result.json"
  static let heart = "data/heart.json"
  static let events = "data/events.jsonl"
  static let journal = "data/journal.jsonl"
  static let protocolFile = "data/protocol.json"
  static let clipFolder = "data/clip"
  static let waveformFolder = "data/waveforms"
  /// How the names of files of blocks end.
  static let blocks = ".blocks"
  /// How the names of files of recorded sound end.
  static let sound = ".flac"

  /// The file with a recorder's samples: those of hearts share one, every other recorder has its own.
  static func recording(of recorder: TrialRecorder) -> String {
    recorder.configuration.isOfHeartbeats ? heart : "\(data)/\(recorder.identifier).json"
  }

  /// The file with a waveform's blocks, or its sound.
  static func waveform(_ name: String, isSound: Bool) -> String {
    "\(waveformFolder)/\(name)\(isSound ? sound : blocks)"
  }
}

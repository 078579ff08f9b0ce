package import Basics
import Quantities
import Study

/// A trial's identifier: a UUID of version 7 (RFC 9562), so that trials sort by the time at which they began.
package struct TrialIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  let uuid: UUID

  /// The identifier of a trial that begins now.
  ///
  /// - Parameters:
  ///   - time: the calendar's time, of which the milliseconds since 1970 are kept.
  ///   - generator: where the 74 random bits come from.
  package init(time: WallTime, using generator: inout some RandomNumberGenerator) {
    uuid = UUID(time: time, using: &generator)
  }

  /// The identifier of a trial that begins now, from the system's source of randomness.
  package init(time: WallTime) {
    var generator = SystemRandomNumberGenerator()
    self.init(time: time, using: &generator)
  }

  /// Reads an identifier; `nil` for what is not a UUID of version 7 in lower-case letters.
  package init?(_ text: String) {
    guard let uuid = UUID(text), uuid.version == 7, uuid.description == text else { return nil }
    self.uuid = uuid
  }

  /// When the trial began, to the millisecond.
  package var time: WallTime { WallTime(milliseconds: Int64(uuid.high >> 16)) }

  /// Earlier before later.
  package static func < (left: TrialIdentifier, right: TrialIdentifier) -> Bool { left.uuid < right.uuid }

  /// Thirty-six lower-case characters: `019a9c2e-5d42-7cc3-98c4-dc0c0c07398f`.
  package var description: String { uuid.description }
}

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

package import Basics
import Quantities
package import Study

/// What `data/result.json` says of a trial, with units in types.
///
/// It is read from files that somebody may have changed: what is missing, or is not what it should be, is `nil` or left
/// out. `Bundle.verify` says so of them.
package struct TrialResult: Hashable, Sendable {
  /// The format of the document.
  package let format: String
  /// The trial's identifier.
  package let trial: String
  /// The participant's code.
  package let participant: String
  /// The session's number or name.
  package let session: String
  /// The protocol's identifier.
  package let task: String
  /// The protocol's version, as its file says it.
  package let taskVersion: String?
  /// The SHA-256 of the protocol's file.
  package let protocolSHA256: String?
  /// The seed of the trial's draws.
  package let seed: UInt64?
  /// Whether nobody was there to press a key; `nil` where that is not told.
  package let isUnattended: Bool?
  /// The calendar at zero and at the end.
  package let clock: Clock
  /// The station that ran the trial.
  package let station: Station
  /// The clip; `nil` for a trial that did not come to one.
  package let clip: Clip?
  /// When the trial began.
  package let startDate: WallTime?
  /// How it ended.
  package let outcome: Outcome?
  /// Why it ended so; `nil` where that goes without saying.
  package let outcomeReason: String?
  /// How far it can be trusted.
  package let grade: Grade?
  /// Why it cannot be trusted further.
  package let reasons: [String]
  /// What a reader should know of besides.
  package let warnings: [String]
  /// What became of the clip; `nil` for a trial that did not come to one.
  package let playback: Playback?
  /// The stretches of the clip that sounded, in the order of time; a pause parts them.
  package let sounds: [Sound]
  /// The steps that were shown, in the order of time.
  package let steps: [Step]
  /// What each recorder holds.
  package let recorders: [Recorder]

  /// A station, as far as it is known.
  package struct Station: Hashable, Sendable {
    /// Its identifier.
    package let identifier: String?
    /// The version of its program.
    package let version: String?
    /// Its operating system.
    package let system: String?
  }

  /// A trial's clip.
  package struct Clip: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// The SHA-256 of its file.
    package let sha256: String?
    /// Its mood; `nil` where its catalogue says none.
    package let mood: String?
    /// How it was drawn; `nil` for a clip that the protocol named.
    package let draw: Draw?
    /// Its file's name.
    package let file: String?
    /// Its title.
    package let title: String?
    /// Its tempo, in beats a minute.
    package let tempo: Double?
    /// Its licence.
    package let licence: String?
    /// How long the whole of it is, in seconds.
    package let seconds: Double?
    /// Its rate, in frames a second.
    package let sampleRate: Int?
    /// How many channels it has.
    package let channels: Int?
    /// How many bytes its file has.
    package let bytes: Int?
    /// How loud it is and was played.
    package let loudness: Loudness
  }

  /// How loud a clip is and was played; `nil` for what was not measured or not asked for.
  package struct Loudness: Hashable, Sendable {
    /// The clip's integrated loudness, in LUFS.
    package let measured: Double?
    /// Its true peak, in dBTP.
    package let truePeak: Double?
    /// The gain that it was played with, in dB.
    package let gain: Double?
    /// The loudness that was asked for, in LUFS.
    package let target: Double?
    /// The loudness that was reached, in LUFS.
    package let reached: Double?
  }

  /// A stretch of the clip, as measured at the sound server, since the trial's zero.
  package struct Sound: Hashable, Sendable {
    /// When its first frame sounded.
    package let onset: Duration
    /// The true onset lies within this of it.
    package let onsetUncertainty: Duration?
    /// When its last frame sounded; `nil` where that was not measured.
    package let offset: Duration?
  }

  /// A step as it went, in times since the trial's zero.
  package struct Step: Hashable, Sendable {
    /// Its identifier.
    package let identifier: String
    /// When it was shown.
    package let shown: Duration
    /// When its active part began; `nil` for a step without one, and where it did not begin.
    package let begun: Duration?
    /// When its active part finished; `nil` for a step without one, and where nothing says that it did.
    package let finished: Duration?
    /// When it was left; `nil` where nothing says that it was.
    package let left: Duration?
    /// Whether the result says when the active part began and finished, or that there is none; earlier ones do not.
    package let hasActiveTimes: Bool
  }

  /// What a recorder holds, in times since the trial's zero.
  package struct Recorder: Hashable, Sendable {
    /// Its identifier.
    package let identifier: String
    /// What it recorded from.
    package let sensor: Sensor
    /// The step that it recorded in.
    package let step: String?
    /// The symbol of its samples' unit.
    package let unit: String
    /// How many samples it has.
    package let samples: Int
    /// How many of them arrived after it had stopped, and are of its time.
    package let late: Int
    /// What its samples come to; `nil` without samples.
    package let summary: Summary?
    /// When it recorded; pauses part its segments.
    package let segments: [Range<Duration>]
    /// The parts of the segments in which nothing is known of the heart.
    package let gaps: [Gap]

    /// How long it recorded, pauses left out.
    package var length: Duration { segments.reduce(.zero) { $0 + $1.length } }
    /// For how much of that nothing is known.
    package var missing: Duration { gaps.reduce(.zero) { $0 + $1.times.length } }
  }

  /// A sensor, as far as it is known.
  package struct Sensor: Hashable, Sendable {
    /// Its name.
    package let name: String?
    /// The name of its device.
    package let device: String?
    /// How long it takes to tell a beat, which is off all times.
    package let latency: Duration?
  }

  /// What samples come to, in their unit.
  package struct Summary: Hashable, Sendable {
    /// The smallest value.
    package let smallest: Double
    /// The largest value.
    package let largest: Double
    /// The arithmetic mean of the values.
    package let mean: Double
  }

  /// A time of which nothing is known.
  package struct Gap: Hashable, Sendable {
    /// The time.
    package let times: Range<Duration>
    /// Why nothing is known of it.
    package let reason: String
  }
}

import Basics
import Quantities
package import Study

/// What a file of the room's sound holds, and where it lies in time.
///
/// Times in the file are true: what the sound server lost is filled with silence.
struct RecordedSound: Hashable, Sendable, Codable {
  /// The file's frames a second.
  let rate: Int
  /// The number of its channels.
  let channels: Int
  /// How many frames it has, silence that was filled in included.
  let frames: Int
  /// When its first frame was in the air, as far as the sound server knows.
  let firstFrame: MeasuredTime
  /// How many frames passed in a second of the trial's clock; `nil` for a recording below 10 s.
  let measuredRate: Double?
  /// How many frames were lost, and filled with silence.
  let framesLost: Int
  /// Where, the first ``maxGaps`` of them.
  let gaps: [Gap]
  /// How often frames were lost.
  let gapCount: Int
  /// How many samples are as large as a sample can be.
  let samplesClipped: Int
  /// The root mean square of the samples, in dB below the largest sample; `nil` for silence.
  let level: Double?
  /// The largest sample, in the same unit.
  let peak: Double?

  /// The maximum number of gaps that are listed.
  static let maxGaps = 1000

  private enum CodingKeys: String, CodingKey {
    case channels, frames, firstFrame, framesLost, gaps, gapCount, samplesClipped
    case rate = "rate_Hz"
    case measuredRate = "measuredRate_Hz"
    case level = "level_dBFS"
    case peak = "peak_dBFS"
  }

  /// Frames that were filled with silence.
  struct Gap: Hashable, Sendable, Codable {
    /// The number of the first of them in the file.
    let frame: Int
    /// How many they are.
    let frames: Int
  }
}

/// Which tone of a step is meant.
package enum Tone: String, Hashable, Sendable, CaseIterable, Codable {
  /// The tone at the start of the active part.
  case start
  case finish
  /// The noise of a volume step or a headphone check.
  case noise

  /// What it is called in a sentence.
  var title: String {
    switch self {
    case .start, .finish: "the \(rawValue) tone"
    case .noise: "the noise"
    }
  }
}

/// What a trial records of a text that is spoken.
package struct SpeechFacts: Hashable, Sendable, FlatInJSON, CheckedInJSON {
  var text: String
  /// The language of the voice.
  var language: String
  /// The program that spoke it; `nil` where that was simulated.
  var program: String?
  /// The program's version; `nil` where it did not say.
  var version: String?
  /// How long it lasts when it is spoken to its end.
  var duration: Duration
  /// The gain that was applied, in decibels.
  var gain: Double
  /// The loudness after that, in LUFS; `nil` where it was not measured.
  var loudness: Double?

  private enum CodingKeys: String, CodingKey {
    case text, language, program, version, duration
    case gain = "gain_dB"
    case loudness = "loudness_LUFS"
  }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? { duration < .zero ? "“duration_ns” is negative" : nil }

  /// What is known of a speech.
  package init(
    text: String, language: String, program: String?, version: String?, duration: Duration, gain: Double,
    loudness: Double?
  ) {
    (self.text, self.language, self.program, self.version) = (text, language, program, version)
    (self.duration, self.gain, self.loudness) = (duration, gain, loudness)
  }
}

/// The heartbeat that an onset was locked to, as it was known when the sound was scheduled.
package struct LockedBeat: Hashable, Sendable, Codable {
  var sensor: String
  /// How the beat was known.
  var beat: OnsetLock.Beat
  /// The time from the R peak to the onset, as the protocol says it.
  var delay: Duration
  /// When the R peak was, or was predicted to be.
  var expected: Duration
  /// How it was predicted; `nil` for a detected one.
  var predictor: String?

  package init(sensor: String, lock: OnsetLock, expected: Duration, predictor: String? = nil) {
    (self.sensor, beat, delay) = (sensor, lock.beat, lock.delay)
    (self.expected, self.predictor) = (expected, predictor)
  }
}

extension TrialRecord {
  /// How an onset followed a heartbeat.
  struct Lock: Hashable, Sendable, Codable {
    /// The heartbeat, as it was known when the sound was scheduled.
    let heartbeat: LockedBeat
    /// The R peak that was found later, from what came after it; `nil` where none was.
    let rPeak: PeakTime?
    /// The time from that R peak to the measured onset.
    let trueDelay: Duration?
    /// How many R peaks were detected as soon as they were over.
    let triggers: Int
    /// Those of them that were none.
    let falseTriggers: [PeakTime]
    /// The R peaks that were not detected so, between the first and the last trigger.
    let missedPeaks: [PeakTime]

    /// A time of a heartbeat.
    struct PeakTime: Hashable, Sendable, Codable {
      let time: Duration

      private enum CodingKeys: String, CodingKey { case time = "t" }
    }
  }
}

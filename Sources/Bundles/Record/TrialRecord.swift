package import Basics
import Quantities
import Sound
import Study

/// The record of a finished trial, `data/result.json`: written and read by these declarations.
///
/// What a trial's journal says, and what follows from it. Times are since the trial's zero.
@dynamicMemberLookup
package struct TrialRecord: Hashable, Sendable, Codable, CheckedInJSON {
  /// The format of the document: `station.result/1`.
  package let format: String
  /// What was known before the trial began.
  let head: TrialHead
  /// How it ended.
  package let closing: TrialClosing
  /// When the trial began, by the calendar at its zero.
  package let startDate: WallTime
  /// When it ended, by the same.
  package let endDate: WallTime
  /// How much further the calendar went than the trial's clock; `nil` where it was not read at the end.
  package let drift: Duration?
  /// The steps that were shown, in the order of time.
  package let steps: [Step]
  /// The answers to questions, in the order of time.
  package let answers: [Answer]
  /// When screens were painted, and which pictures with them, in the order of time; empty without a page.
  package let screens: [Screen]
  /// The operator's annotations, in the order of time.
  package let annotations: [Annotation]
  /// The recorded presses of keys, in the order of time.
  package let keyPresses: [KeyPress]
  /// What steps noted beside answers, in the order of time: consent, a chosen volume, rounds of a check.
  let notes: [Note]
  /// The clip; `nil` for a trial that did not come to one.
  package let clip: ChosenClip?
  /// What became of the clip; `nil` for a trial that did not come to one.
  package let playback: Playback?
  /// The tones and noises of steps, in the order of time.
  let tones: [SoundedTone]
  /// What was said aloud, in the order of time.
  let speech: [Spoken]
  /// The markers that other devices were given, in the order in which they were sent.
  let markers: [SentMarker]
  /// What each recorder holds.
  package let recordings: [Recording]
  /// How far the trial can be trusted.
  package let verdict: Verdict
  /// The version of the rules that led to the verdict.
  let rules: Int
  /// What led to the verdict, and what a reader should know of besides.
  package let caveats: [JudgedCaveat]
  /// Where the files lie.
  package let files: Files

  /// The format that is written.
  static let format = "station.result/1"

  /// What is wrong with it although its members are right.
  package var jsonProblem: String? { Self.problem(ofFormat: format) }

  static func problem(ofFormat format: String) -> String? {
    format == Self.format ? nil : "its format is “\(format)”, and this station reads “\(Self.format)”"
  }

  /// A member of the head.
  package subscript<Member>(dynamicMember member: KeyPath<TrialHead, Member>) -> Member { head[keyPath: member] }

  /// What led to the verdict.
  package var reasons: [Caveat] { caveats.filter { $0.verdict > .good }.map(\.caveat) }

  /// What a reader should know of besides.
  package var informativeCaveats: [Caveat] { caveats.filter { $0.verdict == .good }.map(\.caveat) }

  /// How many samples all recorders have.
  var samples: Int { recordings.reduce(0) { Plausible.sum($0, $1.samples) } }

  /// How many samples a file of recordings has.
  func samples(in file: String) -> Int {
    recordings.reduce(0) { Plausible.sum($0, $1.file == file ? $1.samples : 0) }
  }

  /// How many samples the heart's file has.
  package var heartSamples: Int { samples(in: BundleFile.heart) }

  /// The files of samples inside the bundle, the heart's first; waveforms have others.
  var recordingFiles: [String] {
    [BundleFile.heart] + recordings.compactMap { $0.isOfHeartbeats || $0.isWaveform ? nil : $0.samplesFile }
  }

  /// A step with its four times.
  package struct Step: Hashable, Sendable, Codable {
    package let identifier: String
    /// When it was shown.
    package let shown: Duration
    /// When its active part began; `nil` for a step without one, and where it did not begin.
    package var begun: Duration?
    /// When its active part finished; `nil` for a step without one, and where nothing says that it did.
    package var finished: Duration?
    /// When it was left; `nil` where nothing says that it was.
    package var left: Duration?
    /// Why it was left.
    package var end: StepEnd?
  }

  /// A remark of the operator.
  package struct Annotation: Hashable, Sendable, Codable {
    package let text: String
    /// When the operator began to type it.
    package let time: Duration

    private enum CodingKeys: String, CodingKey {
      case text
      case time = "t"
    }
  }

  /// A press of a key during a step that records it.
  package struct KeyPress: Hashable, Sendable, Codable {
    package let step: String
    /// The key: its character, or its name.
    package let key: String
    /// When it was pressed.
    package let made: MeasuredTime
  }

  /// What became of the clip.
  package struct Playback: Hashable, Sendable, Codable {
    /// When it was to begin; `nil` for one that was not handed to the speaker.
    package let scheduled: Duration?
    /// When its first frame left the sink; `nil` where none did, or that was not measured.
    package let onset: MeasuredTime?
    /// When its last frame left the sink.
    package let offset: MeasuredTime?
    /// The level at which it was played; `nil` where no volume was chosen and the speaker is not calibrated.
    let level: PlayedLevel?
    /// How the onset followed a heartbeat; `nil` for one that follows none.
    let lock: Lock?
    /// How many frames were to be played.
    package let framesRequested: Int
    /// How many were.
    package let framesPlayed: Int
    /// For how long it was played.
    package let played: Duration
    /// One, and one more for each pause.
    package let segments: [Segment]
  }

  /// The stimulus, or what was left of it after a pause.
  package struct Segment: Hashable, Sendable, Codable {
    /// Its number, from 0.
    let segment: Int
    /// When it was to begin.
    let scheduled: Duration
    /// When its first frame left the sink; `nil` where none did, or that was not measured.
    package var onset: MeasuredTime?
    /// When its last frame left the sink.
    package var offset: MeasuredTime?
    /// How many frames were to be played.
    let framesRequested: Int
    /// How many were.
    var framesPlayed = 0
  }

  /// What a recorder holds.
  package struct Recording: Hashable, Sendable, Codable {
    /// The recorder, and the sensor behind it with what it said of its device.
    package let recorder: TrialRecorder
    /// The clip that was played in the recorder's step.
    let clip: ClipReference?
    /// The file with its samples.
    package let file: String
    /// What the numbers of that file are; `nil` for a recorder of samples, and where nothing came.
    package let waveform: Waveform?
    /// What the file of the room's sound holds; `nil` for everything else.
    let sound: RecordedSound?
    /// When it recorded; pauses part its segments.
    package let segments: [Span]
    /// How many samples it has.
    package let samples: Int
    /// How many of them arrived after it had stopped, and are of its time.
    package let late: Int
    /// The share of the segments that samples cover, from 0 to 1, to four decimals.
    package let coverage: Double
    /// The time of the first sample; `nil` without samples.
    package let firstSample: Duration?
    /// The time of the last sample.
    package let lastSample: Duration?
    /// The parts of the segments in which nothing is known.
    package let gaps: [Gap]
    /// What its samples come to; `nil` without samples.
    package let summary: Summary?

    /// How long it recorded, pauses left out.
    var length: Duration { segments.reduce(.zero) { $0 + $1.length } }
    /// The file with its samples, as its recorder's identifier says.
    package var samplesFile: String { BundleFile.recording(of: recorder) }
    /// Whether it is of heartbeats: of heart rates or RR intervals.
    package var isOfHeartbeats: Bool { recorder.configuration.isOfHeartbeats }
    /// Whether its samples are the frames of a waveform.
    package var isWaveform: Bool { recorder.configuration.quantityType.isWaveform }
    /// Whether those are sound, which lies in a file of its own form.
    package var isSound: Bool { sound != nil }
    /// For how much of that nothing is known.
    var missing: Duration { gaps.reduce(.zero) { $0 + $1.span.length } }
  }

  /// What the numbers of a file of blocks are.
  package struct Waveform: Hashable, Sendable, Codable {
    /// Their unit: the sensor's.
    package let unit: String
    /// The names of the channels, in the order of a frame's numbers.
    package let channels: [String]
  }

  /// A clip, by its name and content.
  package struct ClipReference: Hashable, Sendable, Codable {
    package let name: String
    /// The SHA-256 of its file.
    let sha256: String
  }

  /// What samples come to, in their unit.
  package struct Summary: Hashable, Sendable, Codable {
    /// The smallest value.
    package let min: Double
    /// The largest value.
    package let max: Double
    /// The arithmetic mean of the values.
    package let mean: Double
    /// The value of the last sample.
    let last: Double
  }

  /// A stretch of time.
  package struct Span: Hashable, Sendable, FlatInJSON, CheckedInJSON {
    package let from: Duration
    /// Its end, which is not part of it.
    package let to: Duration

    /// What is wrong with numbers of the right type.
    package var jsonProblem: String? { from <= to ? nil : "“to_ns” comes before “from_ns”" }

    init(_ times: Range<Duration>) { (from, to) = (times.lowerBound, times.upperBound) }

    /// How long it lasts.
    var length: Duration { to - from }
  }

  /// A part of a segment in which nothing is known.
  package struct Gap: Hashable, Sendable, Codable {
    package let span: Span
    let cause: Cause
    /// Why a sensor was lost, as it was told.
    let reason: String?

    /// Why nothing is known.
    enum Cause: String, Hashable, Sendable, CaseIterable, Codable {
      /// The sensor had no connection.
      case sensorLost
      /// The sensor said that it did not touch the skin, from the last beat before to the first after it, above 2 s.
      case noContact
      /// The sensor said that it saw no pulse, from the last beat before to the first after it, above 2 s.
      case noPulse
      /// Any other time without a sample, above 10 s.
      case silence
    }
  }

  /// Where the bundle's files lie, inside of it.
  package struct Files: Hashable, Sendable, Codable {
    /// The embedded clip; `nil` where it is not embedded.
    package let clip: String?
    /// What happened, less the samples.
    var events = BundleFile.events
    /// The heart data.
    var heart = BundleFile.heart
    var journal = BundleFile.journal
    var studyProtocol = BundleFile.protocolFile

    private enum CodingKeys: String, CodingKey {
      case clip, events, heart, journal
      case studyProtocol = "protocol"
    }
  }
}

extension TrialRecord {
  /// Something that a step said aloud.
  struct Spoken: Hashable, Sendable, Codable {
    let step: String
    let utterance: Utterance
    /// How often the step had been paused before.
    let segment: Int
    /// The text and the voice.
    let speech: SpeechFacts
    /// When it was to begin.
    let scheduled: Duration
    /// When its first frame left the sink; `nil` where none did, or that was not measured.
    var onset: MeasuredTime?
    /// When its last frame left the sink.
    var offset: MeasuredTime?
  }
}

import Basics
import Quantities
import Study

/// What became of a trial's stimulus.
struct SoundAccount {
  /// The stimulus, or what was left of it after a suspension.
  struct Segment {
    let index: Int
    let step: String
    let scheduled: Duration
    let framesRequested: Int
    var onset: MeasuredTime?
    var offset: MeasuredTime?
    var framesPlayed = 0
  }

  private(set) var segments: [Segment] = []
  private(set) var underruns = 0
  private(set) var sinkSuspensions = 0
  /// Where the server moved the sound to.
  private(set) var moves: [String] = []
  /// How often it could not be heard, because somebody had muted it.
  private(set) var mutings = 0
  /// What the volume was changed to, and by how much the sound slipped from its even course.
  private(set) var volumes: [String] = []
  private(set) var slips: [String] = []
  /// The programs that played through the same sink meanwhile.
  private(set) var otherPrograms: [String] = []
  /// Other disturbances, each told once.
  private(set) var others: [String] = []
  private(set) var failure: String?
  /// What went wrong with tones, in words, each thing once.
  private(set) var toneFaults: [String] = []

  /// The frames that were to be played in all.
  var framesRequested: Int { segments.first?.framesRequested ?? 0 }

  /// The frames that were played in all.
  var framesPlayed: Int { segments.reduce(0) { Plausible.sum($0, $1.framesPlayed) } }

  /// Whether the stimulus was handed over and its end is not known.
  var hasOpenEnd: Bool { segments.last.map { $0.offset == nil } ?? false }

  mutating func take(_ event: JournalEvent) {
    switch event {
    case .soundScheduled(let step, let segment, let moment, let frames):
      segments.append(Segment(index: segment, step: step, scheduled: moment, framesRequested: frames))
    case .soundStarted(_, let segment, let onset): amend(segment) { $0.onset = onset }
    case .soundEnded(_, let segment, let offset, let frames):
      amend(segment) {
        $0.offset = offset
        $0.framesPlayed = frames
      }
    case .soundDisturbed(_, _, let disturbance):
      switch disturbance {
      case .underrun: underruns += 1
      case .suspended: sinkSuspensions += 1
      case .muted: mutings += 1
      case .resumed, .unmuted: break
      case .volumeChanged(let volume): note("\(volume)", in: &volumes)
      case .slipped(let slip): note("by \(Double(slip.nanoseconds / 1000) / 1000) ms", in: &slips)
      case .moved(let sink): note(sink, in: &moves)
      case .otherProgram(let name): note(name, in: &otherPrograms)
      case .other: note("\(disturbance)", in: &others)
      }
    case .soundFailed(_, _, let reason): failure = failure ?? reason
    case .toneDisturbed(let step, let tone, .otherProgram(let name)):
      note(
        "“\(name)” played through the same sink during the \(tone.rawValue) tone of the step “\(step)”", in: &toneFaults
      )
    case .toneDisturbed(let step, let tone, let disturbance):
      note("the \(tone.rawValue) tone of the step “\(step)” was disturbed: \(disturbance)", in: &toneFaults)
    case .toneFailed(let step, let tone, let reason):
      note("the \(tone.rawValue) tone of the step “\(step)” was not played: \(reason)", in: &toneFaults)
    default: break
    }
  }

  /// Takes note that playback was lost at a time: what had sounded until then counts as played.
  ///
  /// - Parameters:
  ///   - time: when it was lost, or the last time at which anything is known.
  ///   - rate: the stimulus's frames a second.
  mutating func breakOff(at time: Duration, rate: Int) {
    guard let index = segments.indices.last, let onset = segments[index].onset, segments[index].offset == nil else {
      return
    }
    let sounded = (max(.zero, time - onset.time).seconds * Double(rate)).rounded()
    segments[index].framesPlayed = Int(min(Double(segments[index].framesRequested), sounded))
  }

  private func note(_ text: String, in list: inout [String]) {
    if list.count < 20, !list.contains(text) { list.append(text) }
  }

  private mutating func amend(_ segment: Int, _ change: (inout Segment) -> Void) {
    guard let index = segments.lastIndex(where: { $0.index == segment }) else { return }
    change(&segments[index])
  }
}

extension SpeakerVolume {
  /// What is not the sound as it was made: `the volume of the sink was 40 %`.
  var remarks: [String] {
    [("sink", sink), ("stream", stream)].compactMap { name, volume in
      volume.contains { $0 != 100 } ? "the volume of the \(name) was \(Self.percent(volume))" : nil
    }
  }
}

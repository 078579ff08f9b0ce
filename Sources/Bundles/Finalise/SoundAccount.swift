import Basics
import Quantities
import Sound
import Study

/// What became of a trial's stimulus.
struct SoundAccount {
  private(set) var segments: [TrialRecord.Segment] = []
  private(set) var underruns = 0
  private(set) var sinkSuspensions = 0
  /// How often it was muted.
  private(set) var mutings = 0
  /// What else happened to it, each thing once.
  private(set) var others: [Caveat] = []
  private(set) var failure: String?
  /// The level at which it was played, of its first segment.
  private(set) var level: PlayedLevel?
  /// What went wrong with tones and speech, each thing once.
  private(set) var toneFaults: [Caveat] = []
  /// The tones that sounded, in the order of time.
  private(set) var tones: [TrialRecord.SoundedTone] = []
  /// What was said, in the order of time.
  private(set) var speech: [TrialRecord.Spoken] = []

  /// The frames that were to be played in all.
  var framesRequested: Int { segments.first?.framesRequested ?? 0 }

  /// The frames that were played in all.
  var framesPlayed: Int { segments.reduce(0) { Plausible.sum($0, $1.framesPlayed) } }

  /// Whether the stimulus was handed over and its end is not known.
  var hasOpenEnd: Bool { segments.last.map { $0.offset == nil } ?? false }

  mutating func take(_ event: JournalEvent) {
    switch event {
    case .soundScheduled(_, let segment, let moment, let frames):
      segments.append(TrialRecord.Segment(segment: segment, scheduled: moment, framesRequested: frames))
    case .soundLevelled(_, let played): level = level ?? played
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
      case .volumeChanged(let volume): note(.volumeChanged(to: volume), in: &others)
      case .shifted(let shift): note(.playbackShifted(by: shift), in: &others)
      case .moved(let sink): note(.sinkChanged(sink: sink), in: &others)
      case .otherProgram(let name): note(.otherProgram(name), in: &others)
      case .other(let code): note(.otherFault(code), in: &others)
      }
    case .soundFailed(_, _, let reason): failure = failure ?? reason
    case .toneStarted(let step, let tone, let number, let onset):
      tones.append(TrialRecord.SoundedTone(step: step, tone: tone, number: number, onset: onset))
    case .toneEnded(let step, let tone, let number, let offset):
      let index = tones.lastIndex { ($0.step, $0.tone, $0.number) == (step, tone, number) }
      if let index { tones[index].offset = offset }
    case .toneDisturbed(let step, let tone, let disturbance):
      note(.toneDisturbed(step: step, tone: tone, disturbance), in: &toneFaults)
    case .toneFailed(let step, let tone, let reason):
      note(.toneFailed(step: step, tone: tone, reason: reason), in: &toneFaults)
    case .speechScheduled(let step, let utterance, let segment, let moment, let facts):
      speech.append(
        TrialRecord.Spoken(step: step, utterance: utterance, segment: segment, speech: facts, scheduled: moment))
    case .speechStarted(let step, let utterance, let segment, let onset):
      amend(step, utterance, segment) { $0.onset = onset }
    case .speechEnded(let step, let utterance, let segment, let offset):
      amend(step, utterance, segment) { $0.offset = offset }
    case .speechDisturbed(let step, let utterance, _, let disturbance):
      note(.speechDisturbed(step: step, utterance: utterance, disturbance), in: &toneFaults)
    case .speechFailed(let step, let utterance, _, let reason):
      note(.speechFailed(step: step, utterance: utterance, reason: reason), in: &toneFaults)
    default: break
    }
  }

  private mutating func amend(
    _ step: String, _ utterance: Utterance, _ segment: Int, _ change: (inout TrialRecord.Spoken) -> Void
  ) {
    let index = speech.lastIndex { ($0.step, $0.utterance, $0.segment) == (step, utterance, segment) }
    if let index { change(&speech[index]) }
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

  private func note(_ caveat: Caveat, in list: inout [Caveat]) {
    if list.count < 60, !list.contains(caveat) { list.append(caveat) }
  }

  private mutating func amend(_ segment: Int, _ change: (inout TrialRecord.Segment) -> Void) {
    guard let index = segments.lastIndex(where: { $0.segment == segment }) else { return }
    change(&segments[index])
  }
}

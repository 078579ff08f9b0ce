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

/// What became of a trial's markers.
struct MarkerAccount {
  /// The markers, in the order in which they were sent or failed.
  private(set) var markers: [SentMarker] = []

  mutating func take(_ event: JournalEvent) { if case .marked(let marker) = event { markers.append(marker) } }

  /// The markers of onsets and offsets that failed, for each output: how many, and why the first did.
  ///
  /// Without one of the others, such as that of the trial's beginning, recordings can still be aligned.
  var failures: [Caveat] {
    let all = markers.filter { $0.failure != nil && ($0.event == .onset || $0.event == .offset) }
    var order: [String] = []
    for marker in all where !order.contains(marker.output) { order.append(marker.output) }
    return order.map { output in
      let failed = all.filter { $0.output == output }
      return .markersFailed(output: output, count: failed.count, reason: failed.first?.failure ?? "")
    }
  }

  /// The codes that were sent further from the onset than is tolerated.
  func shifts(from segments: [TrialRecord.Segment], beyond tolerance: Duration) -> [Caveat] {
    markers.compactMap { marker in
      guard marker.code != nil, marker.event == .onset, marker.failure == nil, let sent = marker.sent,
        let onset = segments.last(where: { $0.segment == marker.segment })?.onset
      else { return nil }
      let distance = sent.time - onset.time
      return abs(distance.seconds) > tolerance.seconds ? .markerShifted(output: marker.output, by: distance) : nil
    }
  }
}

/// What became of an onset that follows a heartbeat: the triggers, and the R peaks that were found later.
struct LockAccount {
  private(set) var locked: LockedBeat?
  private var sensor: String?
  private var triggers: [Duration] = []
  private var beats: [Duration] = []

  /// A trigger within this time of an R peak is its own.
  static let tolerance = Duration.milliseconds(100)
  /// A predicted beat within this time of an R peak is that one.
  static let mispredicted = Duration.milliseconds(400)
  /// The maximum number of triggers and beats that are kept: a day's.
  private static let maxCount = 200_000

  mutating func take(_ event: JournalEvent, at time: Duration) {
    switch event {
    case .beatTriggered(let sensor, let peak):
      self.sensor = self.sensor ?? sensor
      if triggers.count < Self.maxCount { triggers.append(peak) }
    case .soundLocked(_, let beat):
      // After a pause before the onset it is another one.
      locked = beat
      sensor = sensor ?? beat.sensor
    case .reading(let reading) where reading.sensor == sensor && beats.count < Self.maxCount:
      var last = time
      var new = reading.rrIntervals.isEmpty ? [] : [time]
      for interval in reading.rrIntervals.dropFirst().reversed() {
        last -= Duration(milliseconds: interval)
        new.append(last)
      }
      beats += new.reversed()
    default: break
    }
  }

  /// What a result says of it; `nil` for an onset that follows no heartbeat.
  func lock(onset: MeasuredTime?) -> TrialRecord.Lock? {
    guard let locked else { return nil }
    let reach = locked.beat == .detected ? Self.tolerance : Self.mispredicted
    let peak = nearest(to: locked.expected, in: beats).flatMap {
      Self.distance($0, locked.expected) <= reach ? $0 : nil
    }
    let last = beats.last ?? .zero
    let falseTriggers = triggers.filter { $0 <= last && !isNear($0, beats) }
    let span = (triggers.first ?? .zero)...max(triggers.first ?? .zero, triggers.last ?? .zero)
    let missed = triggers.isEmpty ? [] : beats.filter { span.contains($0) && !isNear($0, triggers) }
    return TrialRecord.Lock(
      heartbeat: locked, rPeak: peak.map { .init(time: $0) },
      trueDelay: peak.flatMap { peak in onset.map { $0.time - peak } }, triggers: triggers.count,
      falseTriggers: falseTriggers.map { .init(time: $0) }, missedPeaks: missed.map { .init(time: $0) })
  }

  private static func distance(_ one: Duration, _ other: Duration) -> Duration { max(one - other, other - one) }

  private func isNear(_ time: Duration, _ times: [Duration]) -> Bool {
    nearest(to: time, in: times).map { Self.distance($0, time) <= Self.tolerance } ?? false
  }

  /// The nearest of times in ascending order.
  private func nearest(to time: Duration, in times: [Duration]) -> Duration? {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    let candidates = [low - 1, low].filter(times.indices.contains).map { times[$0] }
    return candidates.min { Self.distance($0, time) < Self.distance($1, time) }
  }
}

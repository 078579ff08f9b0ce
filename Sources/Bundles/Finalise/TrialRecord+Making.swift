import Basics
import Quantities
import Study

extension TrialRecord {
  /// The record of what happened in a trial.
  ///
  /// - Parameters:
  ///   - account: what happened, apart from the readings.
  ///   - cuts: the recorders, which have taken every reading.
  ///   - embeddedClip: the path of the embedded clip inside the bundle, where there is one.
  init(of account: TrialAccount, cuts: [RecorderCut], embeddedClip: String?) {
    let judgement = Judgement(on: account, recordings: cuts)
    let zero = account.opening.zero.wall
    format = Self.format
    head = account.opening.head
    closing = account.closing ?? TrialClosing(outcome: .recovered, reason: nil, calendar: nil)
    startDate = zero.advanced(by: account.openedAt)
    endDate = zero.advanced(by: account.end)
    drift = account.drift
    steps = account.course.steps
    answers = account.course.answers
    screens = account.course.screens
    annotations = account.course.annotations
    keyPresses = account.course.keyPresses
    notes = account.course.notes
    clip = account.chosen
    playback = account.chosen.map { Playback(of: account.sound, $0.clip, account.heartLock) }
    tones = account.sound.tones
    speech = account.sound.speech
    markers = account.markers.markers
    recordings = cuts.map { cut in
      let chosen = account.chosen.flatMap { $0.step == cut.recorder.step ? $0.clip : nil }
      return Recording(of: cut, while: chosen)
    }
    verdict = judgement.verdict
    rules = Judgement.rules
    caveats = judgement.caveats
    files = Files(clip: embeddedClip)
  }
}

extension TrialRecord.Playback {
  // A segment that was suspended before it sounded has no onset; the stimulus began with the first that has one.
  fileprivate init(of sound: SoundAccount, _ clip: Clip, _ heartLock: LockAccount) {
    let first = sound.segments.first { $0.onset != nil } ?? sound.segments.first
    let last = sound.segments.last { $0.onset != nil } ?? sound.segments.last
    scheduled = first?.scheduled
    onset = first?.onset
    offset = last?.offset
    level = sound.level
    lock = heartLock.lock(onset: first?.onset)
    framesRequested = sound.framesRequested
    framesPlayed = sound.framesPlayed
    played = clip.sampleRate > 0 ? Duration(seconds: Double(sound.framesPlayed) / Double(clip.sampleRate)) : .zero
    segments = sound.segments
  }
}

extension TrialRecord.Recording {
  fileprivate init(of cut: RecorderCut, while chosen: Clip?) {
    recorder = cut.recorder
    clip = chosen.map { TrialRecord.ClipReference(name: $0.name, sha256: $0.sha256) }
    file = cut.file
    waveform = cut.head.map { TrialRecord.Waveform(unit: $0.unit, channels: $0.channels) }
    sound = cut.sound
    segments = cut.spans.map { TrialRecord.Span($0) }
    samples = cut.samples
    late = cut.late
    coverage = (cut.coverage * 10_000).rounded() / 10_000
    firstSample = cut.first
    lastSample = cut.last
    gaps = cut.gaps
    summary =
      cut.count > 0
      ? TrialRecord.Summary(min: cut.smallest, max: cut.largest, mean: cut.mean, last: cut.lastValue) : nil
  }
}

extension TrialRecord {
  /// The record of a trial that was kept in memory: what the result in its bundle would say.
  ///
  /// - Parameters:
  ///   - journal: its journal, from the record that opens it on.
  ///   - blocks: the blocks of its waveforms, each with the name of its file without extension.
  package init(journal: [JournalRecord], blocks: [(file: String, block: WaveformBlock)]) {
    let account = TrialAccount(of: journal)
    var cuts = account.opening.recorders.map { RecorderCut($0, in: account) }
    for record in journal {
      for index in cuts.indices {
        switch record.event {
        case .reading(let reading): _ = cuts[index].take(reading, at: record.time)
        case .sample(let sample): _ = cuts[index].take(sample, at: record.time)
        default: break
        }
      }
    }
    for (file, block) in blocks {
      for index in cuts.indices where cuts[index].waveformFile == file { cuts[index].take(block) }
    }
    self.init(of: account, cuts: cuts, embeddedClip: nil)
  }
}

extension Bag {
  /// The bag of a trial's bundle.
  init(of trial: TrialIdentifier, _ account: TrialAccount, _ payload: [PayloadDigest]) {
    let end = account.opening.zero.wall.advanced(by: account.end)
    let version = String(account.opening.station.version.map { $0.isNewline ? " " : $0 })
    self.init(
      payload: payload,
      labels: [
        ("Bag-Software-Agent", "station \(version)"), ("Bagging-Date", String(end.description.prefix(10))),
        ("External-Identifier", trial.description),
      ])
  }

  /// Writes the tag files into a bundle's folder.
  func writeTags(in folder: String) throws(FileError) {
    for (name, bytes) in tagFiles { try File.create("\(folder)/\(name)", bytes, isPrivate: true) }
  }
}

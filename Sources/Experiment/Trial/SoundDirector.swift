import Bundles
import Quantities
import Sound
import Study

/// Plays a trial's sounds one after the other, and writes down when they really sounded.
actor SoundDirector {
  /// A sound that is asked for.
  enum Job: Sendable {
    /// The short tone at a step's start or end.
    case cue
    /// The stimulus of a step from a frame on, as a segment.
    case stimulus(step: String, segment: Int, fromFrame: Int)
  }

  /// How long a sound takes to fall silent when it is stopped or resumed: short, but without a click.
  static let fade = Duration.milliseconds(50)

  private let speaker: (any Speaker)?
  private let stimulus: Stimulus?
  private let log: TrialLog
  private let inbox: TrialInbox
  private let hub: SensorHub
  private let readings: ReadingsRecorder
  private let jobs: AsyncStream<Job>
  private let queue: AsyncStream<Job>.Continuation
  private var current: (any Playback)?
  private var isStopping = false
  /// How many tones were asked for and are not over.
  private var tones = 0
  /// Opens when they are; `nil` while nobody waits for it.
  private var tonesOver: Gate?
  /// The step whose sound is under way.
  private var followed: String?

  init(
    speaker: (any Speaker)?, stimulus: Stimulus?, log: TrialLog, inbox: TrialInbox, hub: SensorHub,
    readings: ReadingsRecorder
  ) {
    self.speaker = speaker
    self.stimulus = stimulus
    self.log = log
    self.inbox = inbox
    self.hub = hub
    self.readings = readings
    (jobs, queue) = AsyncStream.makeStream(of: Job.self)
  }

  /// Plays what is asked for, until the task is cancelled.
  func run() async {
    for await job in jobs {
      switch job {
      case .cue:
        await playCue()
        tones -= 1
        if tones == 0 {
          tonesOver?.open()
          tonesOver = nil
        }
      case .stimulus(let step, let segment, let frame): await play(step: step, segment: segment, from: frame)
      }
    }
  }

  /// Asks for a sound, after those that were asked for before.
  func enqueue(_ job: Job) {
    isStopping = false
    if case .cue = job { tones += 1 }
    queue.yield(job)
  }

  /// Waits until every tone that was asked for is over, but no longer than `limit`.
  func finishTones(within limit: Duration) async {
    guard tones > 0 else { return }
    let gate = tonesOver ?? Gate()
    tonesOver = gate
    await gate.wait(within: limit, on: log.clock)
  }

  /// Lets the sound that plays, or is about to, fade out.
  func stop() async {
    isStopping = true
    await current?.stop(fade: Self.fade)
  }

  /// Stops following the sound, of which nothing is heard any more.
  func giveUp(_ reason: String) {
    guard let step = followed else { return }
    followed = nil
    log.append(.soundFailed(step: step, reason: reason))
  }

  private func playCue() async {
    guard let speaker, !isStopping else { return }
    do {
      let cue = Stimulus.tone(stimulus?.format ?? SoundFormat(sampleRate: 48_000, channels: 2))
      try await speaker.prepare(cue.format)
      let playback = try await speaker.play(cue, at: log.clock.now.advanced(by: speaker.description.lead))
      for await _ in playback.events {}
    } catch {
      log.append(.note("the tone was not played: \(error)"))
    }
  }

  private func play(step: String, segment: Int, from frame: Int) async {
    guard let speaker, let stimulus else {
      inbox.send(.soundFailed(reason: "there is nothing to play it with"))
      return
    }
    guard !isStopping else {
      inbox.send(.soundEnded(frames: 0))
      return
    }
    do {
      let remainder = frame == 0 ? stimulus : stimulus.dropping(frames: frame, fadeIn: Self.fade)
      let scheduled = log.clock.now.advanced(by: speaker.description.lead)
      log.append(
        .soundScheduled(step: step, segment: segment, at: log.time(of: scheduled), frames: remainder.frames))
      followed = step
      defer { followed = nil }
      let playback = try await speaker.play(remainder, at: scheduled)
      current = playback
      if isStopping { await playback.stop(fade: Self.fade) }
      await follow(playback, step: step, segment: segment)
      current = nil
    } catch {
      fail(step: step, reason: "\(error)")
    }
  }

  private func follow(_ playback: any Playback, step: String, segment: Int) async {
    for await event in playback.events {
      guard followed != nil else { return }
      switch event {
      case .started(let onset):
        log.append(
          .soundStarted(step: step, segment: segment, onset: time(onset)), at: onset.moment)
        hub.stimulusChanged(isSounding: true, at: onset.moment)
        inbox.send(.soundStarted(at: onset.moment))
      case .ended(let offset, let frames):
        log.append(
          .soundEnded(step: step, segment: segment, offset: time(offset), frames: frames),
          at: offset.moment)
        hub.stimulusChanged(isSounding: false, at: offset.moment)
        inbox.send(.soundEnded(frames: frames))
      case .disturbed(let disturbance):
        let disturbance = disturbance.map { log.time(of: $0) }
        log.append(.soundDisturbed(step: step, disturbance))
        let detail = disturbance.detail.map { " \($0)" } ?? ""
        readings.notice("the sound was disturbed: \(disturbance.what)\(detail)")
      case .failed(let reason):
        hub.stimulusChanged(isSounding: false, at: log.clock.now)
        fail(step: step, reason: reason)
      }
    }
  }

  private func fail(step: String, reason: String) {
    log.append(.soundFailed(step: step, reason: reason))
    inbox.send(.soundFailed(reason: reason))
  }

  private func time(_ measured: MeasuredMoment) -> MeasuredTime {
    MeasuredTime(time: log.time(of: measured.moment), uncertainty: measured.uncertainty)
  }
}

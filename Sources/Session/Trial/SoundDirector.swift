import Basics
import Bundles
import Quantities
import Sound
import Study

/// Plays a trial's sounds one after the other, and writes down when they really sounded.
///
/// Every sound has its ``SoundID``. It is stopped and given up by that, whether it waits or sounds, and what becomes of it
/// is reported with it.
actor SoundDirector {
  /// How long a sound takes to fall silent when it is stopped or resumed: short, but without a click.
  static let fade = Duration.milliseconds(50)

  /// How long noise sounds, if its level is not changed before.
  private static let maxNoise = Duration.seconds(3600)

  /// How long noise sounds on one side.
  private static let sideNoise = Duration.seconds(1)

  /// The sound that is being started or sounds.
  private struct Current {
    let job: SoundJob
    /// `nil` until the speaker has taken it.
    var playback: (any Playback)?
    /// When it is to begin, and the markers that wait for that.
    var scheduled: Moment?
    var markers: TrialMarkers.Waiting?
    /// Set when it is to end, which a speaker that has not taken it yet cannot be asked.
    var isStopping = false
    /// Opens when it is waited for no longer.
    let abandoned = Gate()
  }

  private let speaker: (any Speaker)?
  private let stimulus: Stimulus?
  private let log: TrialLog
  private let inbox: TrialInbox
  private let hub: SensorHub
  private let readings: ReadingsRecorder
  private let markers: TrialMarkers
  /// The sounds that wait: the machine asks for at most two tones, a stimulus and a few sentences a step, and takes back
  /// what it skips.
  private var waiting: [SoundJob] = []
  private var current: Current?
  /// What decides at which level the stimulus is played.
  private var control: LevelControl
  /// Waits for the heartbeat that the stimulus follows; `nil` for one that follows none.
  private let lock: HeartLock?
  /// The noise of volume steps at −23 LUFS, made when it is needed first.
  private var noise: Stimulus?
  /// Wakes the player when a sound was asked for.
  private let bell = Bell()
  /// Opens when no tone and no speech is left; `nil` while nothing waits for it.
  private var tonesOver: Gate?

  init(
    _ context: TrialContext, lock: HeartLock?, inbox: TrialInbox, readings: ReadingsRecorder, markers: TrialMarkers
  ) {
    self.lock = lock
    speaker = context.speaker
    stimulus = context.stimulus
    control = context.level
    log = context.log
    self.inbox = inbox
    hub = context.hub
    self.readings = readings
    self.markers = markers
  }

  /// Plays what is asked for, until the task is cancelled.
  func run() async {
    while await bell.wait() {
      while !waiting.isEmpty, !Task.isCancelled {
        let job = waiting.removeFirst()
        current = Current(job: job)
        await perform(job)
        current = nil
        reportTonesOver()
      }
    }
  }

  /// Asks for a sound, after those that were asked for before.
  func enqueue(_ job: SoundJob) {
    waiting.append(job)
    bell.ring()
  }

  /// Waits until every tone and speech that was asked for is over, but no longer than `limit`; one that is not has failed.
  func finishTones(within limit: Duration) async {
    guard hasTones else { return }
    let gate = tonesOver ?? Gate()
    tonesOver = gate
    await gate.wait(within: limit, on: log.clock)
    for id in (waiting.map(\.id) + [current?.job.id].compactMap(\.self)).filter({ !$0.isStimulus }) {
      await giveUp(id, "no playback report from the sound server until the end of the trial")
    }
  }

  /// The participant has chosen a gain for the stimuli from now on.
  func choose(_ gain: Double) { control.chosen = gain }

  /// Lets a sound fade out, or does not play it where it still waits.
  func stop(_ id: SoundID) async {
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index)
      inbox.send(.soundEnded(id, frames: 0, played: .zero))
      reportTonesOver()
    } else if current?.job.id == id {
      current?.isStopping = true
      current?.markers?.cancel()
      lock?.cancel()
      await current?.playback?.stop(fade: Self.fade)
    }
  }

  /// Waits for a sound no longer, of which the speaker reports nothing, and silences it should it still sound.
  func giveUp(_ id: SoundID, _ reason: String) async {
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      // What it waits for is stuck.
      log.append(waiting.remove(at: index).failed(reason))
      await current?.playback?.stop(fade: .zero)
    } else if let current, current.job.id == id, !current.abandoned.isOpen {
      log.append(current.job.failed(reason))
      current.abandoned.open()
      if id.isStimulus { hub.stimulusChanged(isSounding: false, at: log.clock.now) }
      self.current?.isStopping = true
      current.markers?.cancel()
      lock?.cancel()
      await current.playback?.stop(fade: .zero)
    }
  }

  private var hasTones: Bool {
    current?.job.id.isStimulus == false || waiting.contains { !$0.id.isStimulus }
  }

  private func reportTonesOver() {
    guard !hasTones else { return }
    tonesOver?.open()
    tonesOver = nil
  }

  // MARK: One sound

  private func perform(_ job: SoundJob) async {
    guard let speaker, let sound = markers.laidOut(sound(of: job), isStimulus: job.id.isStimulus) else {
      fail(job, "there is nothing to play it with")
      return
    }
    // A stimulus that is shorter than its step may have been paused in the silence after it.
    guard sound.frames > 0 else {
      inbox.send(.soundEnded(job.id, frames: 0, played: .zero))
      return
    }
    do {
      if !job.id.isStimulus { try await speaker.prepare(sound.format) }
      let description = speaker.description
      let due = try await due(of: job, lead: description.leastLead)
      guard current?.isStopping != true else {
        inbox.send(.soundEnded(job.id, frames: 0, played: .zero))
        return
      }
      if job.id.isStimulus, let level = control.level { log.append(.soundLevelled(step: job.step, level)) }
      let isLocked = lock != nil && job.id.isStimulus
      let soonest = log.clock.now.advanced(by: isLocked ? description.leastLead : description.lead)
      let scheduled = max(soonest, due ?? soonest)
      if let event = job.scheduled(at: log.time(of: scheduled), frames: sound.frames) { log.append(event) }
      current?.scheduled = scheduled
      if job.id.isStimulus { inbox.send(.soundScheduled(job.id, at: scheduled)) }
      current?.markers = markers.scheduled(job, at: scheduled)
      let playback = try await speaker.play(sound, at: scheduled)
      guard let abandoned = current?.abandoned else { return }
      current?.playback = playback
      if current?.isStopping == true { await playback.stop(fade: abandoned.isOpen ? .zero : Self.fade) }
      await follow(playback, job, sound.format, until: abandoned)
    } catch {
      fail(job, "\(error)")
    }
  }

  /// The moment before which a sound is not played: that of a stimulus which follows a heartbeat is waited for.
  private func due(of job: SoundJob, lead: Duration) async throws(HeartLockFailure) -> Moment? {
    // One that was paused before it began has to follow a heartbeat still.
    guard case .stimulus = job.id.kind, job.firstFrame == 0, let lock, let (due, beat) = try await lock.next(lead: lead)
    else {
      return job.due
    }
    log.append(.soundLocked(step: job.step, beat))
    return due
  }

  private func sound(of job: SoundJob) -> Stimulus? {
    switch job.id.kind {
    case .startTone, .finishTone:
      return .tone(stimulus?.format ?? PreparedSpeech.format).amplified(decibels: control.toneGain)
    case .speech: return job.speech?.sound
    case .noise(_, let side?):
      let format = SoundFormat(sampleRate: stimulus?.format.sampleRate ?? PreparedSpeech.format.sampleRate, channels: 2)
      let noise = Stimulus.pinkNoise(format, lasting: Self.sideNoise, onlyIn: side == .left ? 0 : 1)
      return noise.amplified(decibels: min(control.chosen ?? 0, control.highestNoise))
    case .noise(_, nil):
      let format = stimulus?.format ?? PreparedSpeech.format
      let noise = self.noise ?? .pinkNoise(format, lasting: Self.maxNoise)
      self.noise = noise
      return noise.amplified(decibels: job.gain)
    case .stimulus: break
    }
    guard let stimulus = stimulus?.amplified(decibels: control.level?.volume ?? 0) else { return nil }
    guard job.firstFrame > 0 else { return stimulus }
    return job.firstFrame < stimulus.frames
      ? stimulus.dropping(frames: job.firstFrame, fadeIn: Self.fade) : Stimulus(format: stimulus.format, samples: [])
  }

  /// Reports what becomes of a sound until it is over or given up.
  private func follow(_ playback: any Playback, _ job: SoundJob, _ format: SoundFormat, until abandoned: Gate) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await abandoned.pass() }
      group.addTask {
        for await event in playback.events {
          guard !abandoned.isOpen else { return }
          await self.take(event, job, format)
        }
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func take(_ event: PlaybackEvent, _ job: SoundJob, _ format: SoundFormat) {
    // It may have been given up on the way here.
    guard current?.job.id == job.id, current?.abandoned.isOpen == false else { return }
    switch event {
    case .started(let onset):
      log.append(job.started(log.time(of: onset)), at: onset.moment)
      markers.started(job, scheduled: current?.scheduled, onset: log.time(of: onset))
      guard job.id.isStimulus else { return }
      hub.stimulusChanged(isSounding: true, at: onset.moment)
      inbox.send(.soundStarted(job.id, at: onset.moment))
    case .ended(let offset, let frames):
      log.append(job.ended(log.time(of: offset), frames: frames), at: offset.moment)
      markers.ended(job, offset: log.time(of: offset))
      if job.id.isStimulus { hub.stimulusChanged(isSounding: false, at: offset.moment) }
      inbox.send(.soundEnded(job.id, frames: frames, played: format.duration(of: frames)))
    case .disturbed(let disturbance):
      let disturbance = disturbance.map { log.time(of: $0) }
      log.append(job.disturbed(disturbance))
      if case .otherProgram(let name) = disturbance {
        readings.notice("another program plays through the same sink during \(job.title): “\(name)”")
        return
      }
      readings.notice("\(job.title) was disturbed: \(disturbance)")
    case .failed(let reason):
      if job.id.isStimulus { hub.stimulusChanged(isSounding: false, at: log.clock.now) }
      fail(job, reason)
    }
  }

  /// A stimulus that fails ends the trial with its reason; a tone or speech is missed by the participant alone, so the
  /// operator learns of it here.
  private func fail(_ job: SoundJob, _ reason: String) {
    guard current?.abandoned.isOpen != true else { return }
    current?.markers?.cancel()
    log.append(job.failed(reason))
    if !job.id.isStimulus { readings.notice("\(job.title) was not played: \(reason)") }
    inbox.send(.soundFailed(job.id, reason: reason))
  }
}

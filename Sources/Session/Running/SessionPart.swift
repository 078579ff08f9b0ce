import Bundles
import Laboratory
import Quantities
import Sound
import Study

/// A part of a session with a bundle of its own.
enum SessionPart: Sendable {
  /// A trial, with its stimulus decoded.
  case trial(PlannedTrial, LoadedStimulus?)
  /// The steps around the trials, and what was done of them before the session was interrupted.
  case around([Step], after: StepCourse?)

  /// The trial; `nil` for what lies around the trials.
  var planned: PlannedTrial? { if case .trial(let planned, _) = self { planned } else { nil } }

  /// The trial's number.
  var number: Int? { planned?.number }

  var loaded: LoadedStimulus? { if case .trial(_, let loaded) = self { loaded } else { nil } }

  var course: StepCourse? { if case .around(_, let course) = self { course } else { nil } }

  var steps: [Step] {
    switch self {
    case .trial(let planned, _): planned.steps
    case .around(let steps, _): steps
    }
  }

  /// The caveat that the clip does not reach its loudness; `nil` if it does.
  var loudnessCaveat: Caveat? {
    guard let stimulus = planned?.stimulus, let loaded else { return nil }
    return .loudness(
      of: stimulus.clip.name, reached: loaded.reachedLoudness, target: stimulus.music.loudness)
  }

  /// What the journal says about the clip.
  var chosenClip: ChosenClip? {
    guard let stimulus = planned?.stimulus, let loaded else { return nil }
    return ChosenClip(
      step: stimulus.step, clip: stimulus.clip, draw: stimulus.draw, start: stimulus.start,
      requested: stimulus.music.activeStep.stepDuration, gain: loaded.gain, loudness: loaded.loudness?.integrated,
      truePeak: loaded.loudness?.truePeak, target: stimulus.music.loudness, warnings: loaded.warnings)
  }
}

extension Session {
  private var studyProtocol: StudyProtocol { setup.study.studyProtocol }

  /// What a part's journal begins with.
  func opening(of part: SessionPart, _ trial: TrialIdentifier, _ zero: WallReading) -> TrialOpening {
    var facts = outputs.speaker?.description.facts
    facts?.isNamed = setup.speaker.sinkName != nil
    var place = place(of: part.number)
    place.zero = .nanoseconds(zero.moment.nanoseconds)
    let head = TrialHead(
      trial: trial.description,
      studyProtocol: setup.study.reference,
      participant: setup.participant, session: setup.session ?? "\(plan.place.session)", place: place,
      design: part.planned?.placement,
      group: plan.place.group, language: setup.phrases.tag, isMirrored: setup.isMirrored,
      monitor: setup.monitor, seed: plan.seed,
      zero: CalendarReading(zero, since: zero.moment), station: setup.station, speaker: facts,
      isUnattended: setup.isUnattended, simulation: simulation,
      thresholds: studyProtocol.verdict)
    let steps = part.steps
    let stepsAhead = steps.indices.filter { part.course?.mayCome($0) ?? true }.map { steps[$0] }
    let stepRecorders = stepsAhead.flatMap { $0.active?.recorderConfigurations ?? [] }
    let names = Set((recorders(of: part) + stepRecorders).map(\.identifier))
    return TrialOpening(head: head, recorders: setup.recorders.recorders.filter { names.contains($0.identifier) })
  }

  /// What a part's steps are performed with.
  func context(of part: SessionPart, _ log: TrialLog, _ waveforms: TrialWaveforms) -> TrialContext {
    let (planned, loaded) = (part.planned, part.loaded)
    var level = LevelControl()
    level.chosen = volume
    level.calibrated = setup.calibration(of: outputs.speaker)?.level
    level.maximum = studyProtocol.maximumLevel
    (level.loudness, level.gain) = (loaded?.loudness, loaded?.gain ?? 0)
    let marking = TrialMarking(
      outputs: outputs.markers, code: planned.flatMap { studyProtocol.markerCodes[$0.placement?.condition] },
      number: planned?.number, condition: planned?.placement?.condition,
      silentStep: planned?.placement?.silentStep)
    return TrialContext(
      steps: part.steps, course: part.course, stimulus: loaded?.stimulus, lock: heartLock(of: part),
      heartbeats: heartbeats, level: level, marking: marking, seed: plan.seed,
      trial: part.number.flatMap { plan.trials.count > 1 ? .init(number: $0, count: plan.trials.count) : nil },
      speech: speech(of: part, gain: level.speechGain), sensors: setup.recorders.names,
      recorders: recorders(of: part), isUnattended: setup.isUnattended, phrases: setup.phrases, log: log,
      waveforms: waveforms, hub: hub, speaker: outputs.speaker, presenters: sessionOperator.presenters, session: self)
  }

  func clipToEmbed(of part: SessionPart) -> Clip? {
    studyProtocol.clips?.embed ?? false ? part.planned?.stimulus?.clip : nil
  }

  /// The heartbeats that the stimulus follows; `nil` in simulated time, whose beats are not in real time.
  private func heartLock(of part: SessionPart) -> HeartLock.Settings? {
    let music = part.steps.lazy.compactMap { step in
      step.music.map { (step: step.identifier, lock: $0.music.onset) }
    }.first
    guard let music, let lock = music.lock, !environment.isSimulated else { return nil }
    let recorders = setup.recorders.recorders.filter {
      $0.step == music.step || $0.configuration.scope != .step
    }
    let recorder = lock.quantities.lazy.compactMap { quantity in
      recorders.first { $0.configuration.quantityType.identifier == quantity }
    }.first
    return recorder.map { HeartLock.Settings(sensor: $0.sensor.name, lock: lock) }
  }

  /// What a part's steps say.
  private func speech(of part: SessionPart, gain: Double) -> [String: PreparedSpeech] {
    let format = part.loaded?.stimulus.format
    let texts = part.steps.compactMap(\.active).flatMap { $0.speech(setup.phrases).map(\.text) }
    return Set(texts).reduce(into: [:]) { prepared, text in
      prepared[text] = speech[text].map { PreparedSpeech($0, beside: format, gain: gain) }
    }
  }

  /// The recorders that run through a whole part: those of trials or of the session; both where it is one trial.
  private func recorders(of part: SessionPart) -> [RecorderConfiguration] {
    let scopes: [RecorderConfiguration.Scope] =
      studyProtocol.hasTrials ? [part.planned == nil ? .session : .trial] : [.trial, .session]
    return studyProtocol.recorderConfigurations.filter { scopes.contains($0.scope) }
  }

  /// What is simulated: everything in a simulation, otherwise the simulated sensors.
  private var simulation: TrialSimulation {
    if environment.isSimulated { return .everything }
    let sensors = setup.recorders.simulated
    return sensors.isEmpty ? .none : .sensors(sensors)
  }
}

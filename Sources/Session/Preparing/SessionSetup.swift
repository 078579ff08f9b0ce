import Basics
package import Bundles
package import Laboratory
import Quantities
package import Sensors
package import Sound
package import Study

/// What a session is to do, as values; nothing of it is open yet.
package struct SessionSetup: Sendable {
  /// The protocol and its clips.
  package var study: LoadedStudy
  /// The recorders and the sensor behind each.
  var recorders: AssignedSensors
  /// The participant's code.
  package var participant: String
  /// The session's number or name; `nil` counts by itself.
  var session: String?
  /// Whose session it is in the study.
  var place: PlanPlace
  /// Where the list of participants is, a file or a server; `nil` for the file in the results folder.
  package var participants: String?
  /// Whether the participant's last session goes on where it ended.
  package var resumes = false
  /// The seed of the draws; drawn and recorded where it is `nil`.
  var seed: UInt64?
  /// How many trials of the protocol are performed, one after the other; `nil` as the protocol says.
  var trials: Int?
  /// Whether a clip may be drawn again in the session.
  var drawsWithReplacement: Bool
  /// Where the sound goes.
  var speaker: SpeakerChoice
  /// What the sinks' output takes beyond what their server knows.
  var outputLatency: OutputLatencies
  /// How loud −23 LUFS are through each calibrated sink.
  package var calibrations: [String: StationSettings.Calibration] = [:]
  /// Where markers go.
  package var markers: [MarkerAddress] = []
  /// The station's language, for a protocol that names none.
  var language: Language
  /// The results folder.
  package var results: String
  var station: StationFacts
  /// Whether the trial goes on wherever a step would wait for Return.
  package var isUnattended: Bool
  /// Whether a plausible sample of every sensor is waited for.
  var checksSensors: Bool
  /// The monitor of the participant's page; `nil` for a participant at a terminal.
  package var monitor: MonitorFacts?

  package init(
    study: LoadedStudy, recorders: AssignedSensors, participant: String, session: String? = nil,
    place: PlanPlace = PlanPlace(), seed: UInt64? = nil,
    trials: Int? = nil, drawsWithReplacement: Bool = false, speaker: SpeakerChoice = .standard,
    outputLatency: OutputLatencies = OutputLatencies(), language: Language = .english, results: String,
    station: StationFacts,
    isUnattended: Bool = false, checksSensors: Bool = true
  ) {
    self.study = study
    self.recorders = recorders
    self.participant = participant
    self.session = session
    self.place = place
    self.seed = seed
    self.trials = trials
    self.drawsWithReplacement = drawsWithReplacement
    self.speaker = speaker
    self.outputLatency = outputLatency
    self.language = language
    self.results = results
    self.station = station
    self.isUnattended = isUnattended
    self.checksSensors = checksSensors
  }

  /// The plan of the session.
  ///
  /// - Throws: `PlanError`.
  func plan() throws(PlanError) -> Plan {
    try Plan.make(
      for: study.studyProtocol, clips: study.clips, seed: seed ?? .random(in: 0...Draw.maxSeed), place: place,
      trials: trials, withReplacement: drawsWithReplacement)
  }

  /// The texts for the participant: the protocol's own, else the station's in its language.
  package var phrases: Phrases { study.studyProtocol.phrases.completed(in: language) }
}

extension SessionSetup {
  /// Whether scales run from right to left: on a page, in a language that is written so.
  var isMirrored: Bool { monitor != nil && phrases.isRightToLeft }

  /// Whether the loudness of every clip is needed, and not only of those with a target.
  var needsLoudness: Bool { choosesVolume || !calibrations.isEmpty }

  /// Whether the participant chooses the volume in a step of the protocol.
  var choosesVolume: Bool {
    study.studyProtocol.allSteps.contains { $0.step.kind is VolumeStep }
  }

  /// The calibration of a speaker; `nil` for one without.
  func calibration(of speaker: (any Speaker)?) -> StationSettings.Calibration? {
    speaker?.description.facts.sink.flatMap { calibrations[$0] }
  }
}

/// Where the sound goes.
package enum SpeakerChoice: Hashable, Sendable {
  /// A kind of sound server.
  package enum Server: String, Hashable, Sendable {
    case pipeWire = "pipewire"
    case pulseAudio = "pulse"
  }

  /// The default sink of a server; of the server that runs if none is named.
  case defaultSink(on: Server?)
  /// A sink by its name.
  case sink(String, on: Server?)
  /// A private sound server without a loudspeaker.
  case silent

  /// The default sink of the server that runs.
  static let standard = SpeakerChoice.defaultSink(on: nil)

  /// A choice as an option or a settings file says it: `nil` or `default`, `silent`, or the name of a sink; a sink or
  /// `default` after `pipewire:` or `pulse:` is one of that server.
  package init(_ option: String?) {
    guard let option else {
      self = .standard
      return
    }
    let parts = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let server = parts.count == 2 ? Server(rawValue: String(parts[0])) : nil
    let name = server == nil ? option : String(parts[1])
    self =
      switch name {
      case "default", "": .defaultSink(on: server)
      case "silent" where server == nil: .silent
      default: .sink(name, on: server)
      }
  }

  /// The sink's name, where one was given.
  var sinkName: String? {
    guard case .sink(let name, _) = self else { return nil }
    return name
  }

  var server: Server? {
    switch self {
    case .defaultSink(let server), .sink(_, let server): server
    case .silent: nil
    }
  }

  /// Connects; the output latency is that of a real sink, and has no meaning for a silent one.
  ///
  /// A trial refuses a null sink that was not named; commands that only play or measure accept it with a note.
  ///
  /// - Parameters:
  ///   - refusesNullSink: whether a null sink that was not named is refused.
  ///   - outputLatency: what the sinks' output takes beyond what their server knows.
  /// - Returns: the speaker, connected.
  /// - Throws: what keeps the sound server or the sink from being used.
  package func open(refusesNullSink: Bool = true, outputLatency: OutputLatencies = OutputLatencies()) async throws
    -> any Speaker
  {
    if self == .silent { return try await SilentServer.open() }
    let choice = SoundServerChoice(sink: sinkName, refusesNullSink: refusesNullSink, outputLatency: outputLatency)
    return switch server {
    case .pipeWire: try await choice.pipeWire()
    case .pulseAudio: try await choice.pulseAudio()
    case nil: try await choice.whatRuns()
    }
  }
}

import Basics
import Bundles
import Glibc
import Laboratory
import Quantities
import Sensors
import Session
import Sound
import Study

extension Command {
  /// A session of one or more trials, from the draw of their clips to their bundles.
  static let run = Command(
    "run", operands: "PROTOCOL", "runs a session of trials and writes a bundle for each", takesInterrupts: true,
    options: [
      .init("participant", value: "ID", isRequired: true, "the participant's code: letters, digits and +, as in BIDS"),
      .init(
        "session", value: "N",
        "the session's number or name (default: the participant's next; 1 without groups, sessions and trials)"),
      .init("resume", "go on with the participant's unfinished session, after the last trial that was completed"),
      .init("seed", value: "N", "the seed of the draws (default: random; it is recorded)"),
      .init("repeat", value: "N", "the number of trials in the session (default: 1)"),
      .init("replacement", "draw each clip from all clips, so that a clip may be played again"),
      .init(
        "language", value: "TAG",
        "the language of the participant's texts (default: that of the last session, else the protocol's own)"),
      .init("sensor", value: "NAME=SENSOR", repeats: true, "the sensor for a recorder or quantity type"),
      .init("no-sensor-check", "start without waiting for a plausible sample from every sensor"), .speaker,
      .init(
        "output-latency", value: "MS",
        "output latency of the sink that its server does not report (default: that of the settings)"),
      .init(
        "markers", value: "OUTPUT", repeats: true,
        "mark onsets for other devices: \(MarkerAddress.forms.joined(separator: ", "))"), .clips, .participants,
      .init("results", value: "FOLDER", "the folder for bundles (default: results)"),
      .init("page", "show the participant's steps in a browser; the terminal is the operator's"),
      .init("browser", "start Chromium on that page, in full screen, and again whenever it ends"),
      .init("screen", value: "N", "the monitor on which that is, from 1 (X11 only)"),
      .init("console", "the operator is at “station console”, starts the session there, and answers there"),
      .init("unattended", "continue without waiting for Return"),
      .init("no-send", "do not send the bundles where the settings say; “station send” does it later"),
    ] + StoreLocation.place, sections: [.sensors, .keys]
  ) { try await RunRequest($0).run() }
}

extension Command.Section {
  /// The forms that a sensor's address has.
  fileprivate static let sensors = Self(
    title: "SENSOR in --sensor NAME=SENSOR, where NAME is a recorder of the protocol or a quantity type (heartRate):",
    rows: SensorAddress.forms.map { HelpLayout.Row($0.text, $0.meaning) })

  fileprivate static let keys = Self(
    title: "Keys during a trial, on a terminal:",
    rows: [
      .init("Return", "continue, if a step waits"),
      .init("p", "pause or resume"),
      .init("s", "skip a step that the protocol marks as optional"),
      .init("Ctrl-C", "end the trial and write its bundle; pressed again, offer to discard it"),
    ])
}

private struct RunRequest {
  let arguments: Arguments
  let participant: String
  let session: String?
  let participants: String
  let seed: UInt64?
  let trials: Int?
  let settings: AppliedSettings
  let sensors: [SensorAssignment]
  let outputLatency: OutputLatencies
  let markers: [MarkerAddress]
  let store: StoreLocation
  let sending: AutomaticSending?

  private let screen: Int?
  private var isUnattended: Bool { arguments.has("unattended") }
  private var hasPage: Bool { arguments.has("page") || arguments.has("browser") }

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    guard let participant = try arguments.code("participant") else {
      throw arguments.refusal("missing --participant ID, for example --participant p01")
    }
    self.participant = participant
    session = try arguments.code("session")
    for option in ["session", "seed", "repeat", "language"] where arguments.has("resume") && arguments.has(option) {
      throw arguments.refusal("--resume goes on with a session as it was planned; leave --\(option) out")
    }
    seed = try arguments.wholeNumber("seed", 0...Draw.maxSeed)
    screen = try arguments.wholeNumber("screen", 1...16)
    if screen != nil, !arguments.has("browser") {
      throw arguments.refusal("--screen is where --browser shows the page; add --browser")
    }
    trials = try arguments.wholeNumber("repeat", 1...TrialsStep.maxTrials)
    if arguments.has("replacement"), trials ?? 1 == 1 {
      throw arguments.refusal("--replacement has no effect on a single trial; add --repeat N with N above 1")
    }
    let settings = try AppliedSettings(arguments)
    self.settings = settings
    participants = try ParticipantsLocation(arguments, settings, results: arguments.results).path
    sensors = try arguments.all("sensor").map { text in try arguments.checked { try settings.assignment(text) } }
    outputLatency = settings.outputLatencies(
      always: try arguments.number("output-latency", StationSettings.latencyRange, "milliseconds").map {
        Duration(milliseconds: $0)
      })
    let given = try arguments.all("markers").map { text in try arguments.checked { try MarkerAddress(text) } }
    markers = given.isEmpty ? settings.markers?.value ?? [] : given
    store = StoreLocation(arguments)
    try store.requireNoPassword()
    sending = arguments.has("no-send") ? nil : try SentSettings(settings)?.automatic(arguments)
  }

  func run() async throws -> ExitStatus {
    let interrupts = InterruptRouter()
    // On a thread of its own, so that reading clips or a recovery cannot delay interrupts.
    Interrupts.onEach { signal in
      guard let words = interrupts.handle(signal) else { return }
      Console.standard.report(words)
      Console.standard.drain()
      Keyboard.restore()
      UnfinishedFiles.removeAll()
      exit(ExitStatus.failed.rawValue)
    }
    let setup = try setup()
    if !isUnattended, !hasPage, setup.study.studyProtocol.waitsForReturn, Keyboard.hasEnded {
      throw Failure("a step waits for Return, but standard input has ended; run it at a terminal, or with --unattended")
    }
    if !isUnattended, !hasPage, let picture = setup.study.studyProtocol.pictures.first {
      throw Failure(
        "the protocol shows pictures, such as “\(picture.file.visible)”, and a terminal cannot; add --page or --browser"
      )
    }
    let console = Console.standard
    if !isUnattended, console.showsASCII { try setup.checkTexts() }
    // From here on, printing never waits for the terminal.
    console.decouple()
    let inhibitor = SessionInhibitor { reason in
      console.report("the computer may go to sleep during the session: \(reason)")
    }
    defer { inhibitor.release() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await interrupts.run() }
      defer { group.cancelAll() }
      if let note = setup.phrases.note { console.report(note) }
      let desk = SessionDesk(labels: settings.labels?.value ?? SessionDesk.usualLabels) { console.report($0) }
      console.copy { desk.say($0, isProblem: $1) }
      let page = try setup.monitor.map {
        try ServedPage(setup.phrases, setup.study.pictures(), $0, on: console, calls: { desk.call($0) })
      }
      defer { page?.close() }
      if arguments.has("browser") { try page?.startBrowser(on: screen) }
      let sessionOperator = TerminalOperator(
        setup, page: page, desk: desk, console: console, interrupts: interrupts,
        awaitsStart: arguments.has("console"))
      let results = arguments.results
      let follower = StoreFollower(
        results: ResultsFolder(results), console: console, letGo: StoreLocation.forgetAll, open: store.openOrMake)
      let followers: [any BundleFollower] = [follower] + (try sending.map { [try $0.follower(results: results)] } ?? [])
      let outcome = try await Session.run(setup, operator: sessionOperator, followers: followers)
      return outcome.verdicts.isEmpty && outcome.planned > 0 ? .failed : outcome.isGood ? .done : .suspect
    }
  }

  private func setup() throws -> SessionSetup {
    let study = try inLanguage(
      of: LoadedStudy(arguments.operands[0], clipsFolder: arguments["clips"], participant: participant))
    let recorders: AssignedSensors
    do {
      recorders = try AssignedSensors(
        sensors, settings: settings.sensorsByFile, for: study.studyProtocol, isUnattended: isUnattended)
    } catch let error as SensorAssignmentError {
      switch error {
      case .noRecorder, .twice, .notUsed: throw arguments.refusal("\(error)")
      case .noSensor, .standardInputIsTaken: throw Failure("\(error)")
      }
    }
    if study.studyProtocol.enrolsParticipants {
      if let session, Int(session) ?? 0 < 1 {
        throw arguments.invalid(session, "session", "this protocol counts sessions from 1")
      }
    } else if arguments.has("resume") {
      throw arguments.refusal(
        "--resume is for protocols with “groups”, “sessions” or a “trials” step; this one is a single trial")
    }
    var setup = SessionSetup(
      study: study, recorders: recorders, participant: participant, session: session, seed: seed, trials: trials,
      drawsWithReplacement: arguments.has("replacement"), speaker: settings.speaker(arguments),
      outputLatency: outputLatency, language: settings.language?.value ?? .english, results: arguments.results,
      station: .here(version: Version.current), isUnattended: isUnattended,
      checksSensors: !arguments.has("no-sensor-check"))
    setup.calibrations = settings.calibrations
    setup.markers = markers
    (setup.resumes, setup.participants) = (arguments.has("resume"), participants)
    setup.monitor = hasPage ? settings.monitor?.value.facts ?? MonitorFacts() : nil
    return setup
  }

  /// The study in the participant's language: the one that is given, else that of the last session.
  private func inLanguage(of study: LoadedStudy) throws -> LoadedStudy {
    if let language = arguments["language"] { return try study.shown(in: language) }
    guard study.studyProtocol.languages.count > 1 else { return study }
    let last = try ResultsFolder(arguments.results)
      .sessions(of: participant, in: study.studyProtocol.identifier).last
    return try last?.language.map { try study.shown(in: $0) } ?? study
  }
}

extension SessionSetup {
  /// Refuses texts that a terminal for ASCII would show as question marks.
  fileprivate func checkTexts() throws(Failure) {
    let texts = study.studyProtocol.shownTexts(phrases)
    guard let (step, _) = texts.first(where: { !$0.texts.allSatisfy(\.hasASCII) }) else { return }
    throw Failure(
      "the locale says that this terminal shows only ASCII, so the participant could not read "
        + (step.map { "the step “\($0)”" } ?? "the phrases") + "; choose a UTF-8 locale, for example LC_ALL=C.UTF-8")
  }
}

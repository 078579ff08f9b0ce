import Basics
import Bundles
import Pages

/// What a console's window can ask for beside sessions: what commands answer, and the start of a session.
///
/// A window names things, never the words of a command.
struct ConsoleWork: Sendable {
  let results: String
  /// The folder in which protocols are looked for.
  let studies: String
  let started: StartedSessions
  /// What windows show in frames or play.
  let documents = ConsoleDocuments()
  private let trials: ConsoleResults

  init(results: String, studies: String) {
    (self.results, self.studies) = (results, studies)
    started = StartedSessions(in: ResultsFolder(results))
    trials = ConsoleResults(ResultsFolder(results), documents: documents)
  }

  func answer(_ request: JSONValue) async -> JSONValue {
    func text(_ name: String) -> String? { request[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    switch request["what"]?.string {
    case "studies": return await listStudies()
    case "participants":
      return await run(["participants", "--json", "--results=\(results)"])
    case "next":
      guard let file = await study(text("file")), let participant = text("participant") else { return Self.refused }
      return await run(["plan", "--json", "--participant=\(participant)", "--results=\(results)", "--", file])
    case "sensors": return await run(["sensors", "--json", "--results=\(results)"])
    case "settings": return await run(["settings", "--json", "--results=\(results)"] + Self.changes(request))
    case "withdraw":
      guard let participant = text("participant"), participant == request["again"]?.string else {
        return ChildCommand.answer(2, .null, ["the code that was typed is another one; nothing was removed"])
      }
      return await run(
        ["withdraw", "--yes", "--json", "--results=\(results)"] + (text("study").map { ["--study=\($0)"] } ?? [])
          + ["--", participant])
    case "start": return await start(request)
    case "results": return await trials.page(request)
    case "report": return await trials.report(text("trial"), includesSimulated: request["simulated"] == true)
    case "beats": return await trials.beats(text("trial"), request)
    case "waveform": return await trials.waveform(text("trial"), request)
    case "correct": return await trials.correct(text("trial"), request)
    case "clip": return await trials.clip(text("trial"), in: await WaitingThread.run { clipFolders() })
    case "fate": return await started.fate(of: text("session") ?? "")
    default: return Self.refused
    }
  }

  /// The options that change settings.
  private static func changes(_ request: JSONValue) -> [String] {
    (request["set"]?.object ?? [:]).sorted { $0.key < $1.key }.map { name, value in
      if value == .null { return "--remove=\(name)" }
      return "--set=\(name)=\(value.string ?? value.text())"
    }
  }

  private static let refused = ChildCommand.answer(2, .null, ["the console does not understand this request"])

  private func run(_ words: [String]) async -> JSONValue { await ChildCommand(words: words).run() }

  // MARK: Studies

  /// What `validate` says of the protocols in the folder.
  private func listStudies() async -> JSONValue {
    let files = await WaitingThread.run { protocolFiles() }
    guard !files.isEmpty else { return ["folder": .string(studies), "status": 0, "output": [], "complaints": []] }
    guard case .object(var answer) = await run(["validate", "--json", "--"] + files) else { return .null }
    answer["folder"] = .string(studies)
    return .object(answer)
  }

  /// The largest file that may be a protocol, in bytes.
  private static let maxSize = 16 << 20
  private static let format = Array("station.protocol/".utf8)

  /// The protocols in the folder and in the folders in it.
  private func protocolFiles() -> [String] {
    let places = [studies] + ((try? Folder.folderNames(in: studies)) ?? []).map { Folder.path($0, from: studies) }
    return places.filter { $0 != results }.flatMap { place in
      ((try? Folder.names(in: place)) ?? [])
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") && !$0.hasSuffix(".schema.json") }.sorted()
        .map { Folder.path($0, from: place) }
    }.filter { path in
      // One that is not JSON any more is shown too, with its problems.
      Folder.isOrdinaryFile(path)
        && (try? File.contents(of: path, limit: Self.maxSize).contains(Self.format)) ?? false
    }
  }

  /// Where the clips of the protocols lie.
  private func clipFolders() -> [String] {
    protocolFiles().compactMap { file in
      let document = try? JSONReader.read(File.contents(of: file, limit: Self.maxSize)).value
      return document?["clips"]?["folder"]?.string.map { Folder.path($0, from: Folder.parent(of: file)) }
    }
  }

  /// A protocol that the folder has.
  private func study(_ file: String?) async -> String? {
    guard let file else { return nil }
    return await WaitingThread.run { protocolFiles() }.contains(file) ? file : nil
  }

  // MARK: Start

  private func start(_ request: JSONValue) async -> JSONValue {
    func text(_ name: String) -> String? { request[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    guard let file = await study(text("file")), let participant = text("participant"), let study = text("study") else {
      return Self.refused
    }
    var words = ["run", "--console", "--participant=\(participant)", "--results=\(results)"]
    for name in ["session", "language", "speaker", "screen"] { words += text(name).map { ["--\(name)=\($0)"] } ?? [] }
    if case .object(let sensors)? = request["sensors"] {
      for (name, sensor) in sensors.sorted(by: { $0.key < $1.key }) {
        if let sensor = sensor.string, !sensor.isEmpty { words.append("--sensor=\(name)=\(sensor)") }
      }
    }
    switch text("participantAt") {
    case "browser": words.append("--browser")
    case "nowhere": words.append("--unattended")
    default: words.append("--page")
    }
    if request["resume"] == true { words.append("--resume") }
    return await started.start(words + ["--", file], participant: participant, study: study)
  }
}

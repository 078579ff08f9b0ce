import Analysis
import Basics
import Bundles
import Quantities
import Study

/// `station show BUNDLE`: prints the clip name and the samples of the hearts or of one recorder, or the whole result, or
/// repeats the draw, or a session's plan; `--live` follows a running session.
struct ShowCommand: Command {
  static let syntax = CommandSyntax(
    "show", operands: "[BUNDLE|TRIAL|SESSION|RESULTS|PARTICIPANT]", count: 0...1,
    "prints the clip name and the heart JSON of a bundle or trial, or follows a running session",
    options: [
      .init("json", "print the whole result instead; with --replay, the differences of sessions"),
      .init("recorder", value: "NAME", "print the samples of this recorder instead of the hearts'; a waveform as CSV"),
      .init(
        "replay",
        "repeat the draw of the clip; of a session, or of all in RESULTS: repeat the plan, and compare every trial with it"
      ),
      .init("live", "follow the running session; of several, that of PARTICIPANT or SESSION; or one TRIAL only"),
      .init("wait", "with --live: wait for a session to begin"),
      .init("results", value: "FOLDER", "the results folder of TRIAL (default: results)"),
    ])

  static let takesInterrupts = true

  private enum Answer {
    case samples(recorder: String?)
    case result
    case replay
    case sessions(SessionPath, isJSON: Bool)
    case live(LiveView)
  }

  private let path: String
  private let answer: Answer

  init(_ arguments: Arguments) throws {
    for group in [["json", "recorder", "live"], ["recorder", "replay", "live"]] {
      _ = try arguments.atMostOne(of: group)
    }
    guard !arguments.has("live") else {
      path = ""
      answer = .live(
        LiveView(
          name: arguments.operands.first, results: arguments["results"] ?? "results", waits: arguments.has("wait"),
          console: .standard))
      return
    }
    guard !arguments.has("wait") else { throw arguments.refusal("--wait needs --live") }
    guard !arguments.operands.isEmpty else {
      throw arguments.refusal("missing BUNDLE or TRIAL; without it, --live follows the running session")
    }
    if arguments.has("replay"),
      let sessions = try SessionPath(arguments.operands[0], in: arguments["results"] ?? "results")
    {
      path = arguments.operands[0]
      answer = .sessions(sessions, isJSON: arguments.has("json"))
      return
    }
    path = try arguments.trialOperands()[0]
    _ = try arguments.atMostOne(of: ["json", "replay"])
    answer =
      arguments.has("json") ? .result : arguments.has("replay") ? .replay : .samples(recorder: arguments["recorder"])
  }

  func run() async throws -> ExitStatus {
    if case .live(let view) = answer { return try await view.run() }
    Interrupts.release()
    if case .sessions(let sessions, let isJSON) = answer { return try replay(sessions, isJSON: isJSON) }
    let bundle = try Bundle(path)
    for note in [bundle.skippedNote, bundle.record.simulation.sentence].compactMap(\.self) {
      Console.standard.report("note: \(note)")
    }
    switch answer {
    case .replay: return replay(bundle)
    case .result: Console.standard.write(bundle.result.encoded(pretty: true))
    case .samples(let recorder): try printSamples(of: recorder, bundle)
    case .live, .sessions: break
    }
    return .done
  }

  private func printSamples(of recorder: String?, _ bundle: Bundle) throws {
    if let waveform = WaveformRecording.all(of: bundle).first(where: { $0.recorder == recorder }) {
      try print(waveform, bundle)
      return
    }
    // The heart data of a day take 27 MB.
    let samples =
      try recorder.map { name throws in
        let recordings = bundle.record.recordings
        guard let recording = recordings.first(where: { $0.recorder.identifier == name }) else {
          let advice = Spelling.advice(for: name, among: recordings.map(\.recorder.identifier))
          throw Failure("“\(path.visible)” has no recorder “\(name)”; \(advice)")
        }
        return try bundle.open(recording.file)
      } ?? bundle.openHeart()
    Console.standard.line("clip name: \((bundle.record.clip?.clip.name ?? "none").visible)")
    while case let piece = try samples.read(upTo: 1 << 16), !piece.isEmpty { Console.standard.write(piece) }
  }

  /// Prints a waveform as a table, frame by frame.
  private func print(_ waveform: WaveformRecording, _ bundle: Bundle) throws {
    let console = Console.standard
    console.line("clip name: \((bundle.record.clip?.clip.name ?? "none").visible)")
    let unit = waveform.unit.symbol
    console.line("time_s," + waveform.channels.map { "\($0)_\(unit)" }.joined(separator: ","))
    var lines: [UInt8] = []
    try waveform.read { time, values in
      lines += "\(time.fixed(6)),\(values.map { Float($0).description }.joined(separator: ","))\n".utf8
      guard lines.count >= 1 << 16 else { return }
      console.write(lines)
      lines.removeAll(keepingCapacity: true)
    }
    console.write(lines)
  }

  private func replay(_ path: SessionPath, isJSON: Bool) throws -> ExitStatus {
    guard !path.sessions.isEmpty else {
      throw Failure(
        "“\(self.path.visible)” has no records of sessions: its trials were single ones; name a bundle to repeat its draw"
      )
    }
    var replays: [SessionReplay] = []
    for session in path.sessions {
      let replay = try SessionReplay(of: session, in: path.results)
      replays.append(replay)
      guard !isJSON else { continue }
      for line in replay.lines { Console.standard.line(line) }
      for difference in replay.differences { Console.standard.report("session \(session): \(difference)") }
    }
    if isJSON { Console.standard.write(JSONValue.array(replays.map(\.json)).encoded(pretty: true)) }
    return replays.allSatisfy(\.differences.isEmpty) ? .done : .failed
  }

  private func replay(_ bundle: Bundle) -> ExitStatus {
    let (lines, problem) = bundle.replayedDraw
    for line in lines { Console.standard.line(line) }
    if let problem { Console.standard.report(problem) }
    return problem == nil ? .done : .failed
  }
}

import Analysis
import Basics
import Bundles
import Quantities
import Study

extension Command {
  /// The clip name and the samples of the hearts or of one recorder, or the whole result, or the repeated draw, or a
  /// session's plan; `--live` follows a running session.
  static let show = Command(
    "show", operands: "[BUNDLE|TRIAL|SESSION|RESULTS|PARTICIPANT]",
    "prints the clip name and the heart JSON of a bundle or trial, or follows a running session", takesInterrupts: true,
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
    ]
  ) { arguments in
    for group in [["json", "recorder", "live"], ["recorder", "replay", "live"]] { try arguments.atMostOne(of: group) }
    if arguments.has("live") {
      let view = LiveView(
        name: arguments.operands.first, results: arguments.results, waits: arguments.has("wait"), console: .standard)
      return try await view.run()
    }
    guard !arguments.has("wait") else { throw arguments.refusal("--wait needs --live") }
    guard let operand = arguments.operands.first else {
      throw arguments.refusal("missing BUNDLE or TRIAL; without it, --live follows the running session")
    }
    Interrupts.release()
    if arguments.has("replay"),
      let sessions = try SessionPath(operand, in: arguments.results)
    {
      return try Self.replay(sessions, called: operand, isJSON: arguments.isJSON)
    }
    let path = try arguments.trialOperands()[0]
    try arguments.atMostOne(of: ["json", "replay"])
    let bundle = try Bundle(path)
    for note in [bundle.skippedNote, bundle.record.simulation.sentence].compactMap(\.self) {
      Console.standard.report("note: \(note)")
    }
    if arguments.has("replay") { return Self.replay(bundle) }
    if arguments.isJSON {
      Console.standard.write(bundle.result)
    } else {
      try Self.printSamples(of: arguments["recorder"], bundle, path)
    }
    return .done
  }

  private static func printSamples(of recorder: String?, _ bundle: Bundle, _ path: String) throws {
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
  private static func print(_ waveform: WaveformRecording, _ bundle: Bundle) throws {
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

  private static func replay(_ path: SessionPath, called name: String, isJSON: Bool) throws -> ExitStatus {
    guard !path.sessions.isEmpty else {
      throw Failure(
        "“\(name.visible)” has no records of sessions: its trials were single ones; name a bundle to repeat its draw")
    }
    var replays: [SessionReplay] = []
    for session in path.sessions {
      let replay = try SessionReplay(of: session, in: path.results)
      replays.append(replay)
      guard !isJSON else { continue }
      Console.standard.lines(replay.lines)
      for difference in replay.differences { Console.standard.report("session \(session): \(difference)") }
    }
    if isJSON { Console.standard.write(.array(replays.map(\.json))) }
    return replays.allSatisfy(\.differences.isEmpty) ? .done : .failed
  }

  private static func replay(_ bundle: Bundle) -> ExitStatus {
    let (lines, problem) = bundle.replayedDraw
    Console.standard.lines(lines)
    if let problem { Console.standard.report(problem) }
    return problem == nil ? .done : .failed
  }
}

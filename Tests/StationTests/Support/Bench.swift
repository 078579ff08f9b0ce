import Basics
import Foundation
import Glibc
import TestSupport

/// A laboratory for one test: a folder with clips, protocols and results, and the `station` that users run.
final class Bench: Sendable {
  let scratch: ScratchFolder

  /// The release binary that `Scripts/build` makes, since that is what people run; `STATION_PROGRAM` names another one.
  static let station =
    ProcessInfo.processInfo.environment["STATION_PROGRAM"] ?? "\(Repository.root)/.build/release/station"

  /// Whether the binary is there, and of these sources: an older one would test what nobody has any more.
  private static let program = Result {
    func date(_ path: String) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    guard FileManager.default.isExecutableFile(atPath: station), let built = try date(station) else {
      throw MissingProgram(name: station, remedy: "Scripts/build makes it")
    }
    guard ProcessInfo.processInfo.environment["STATION_PROGRAM"] == nil else { return }
    let sources = "\(Repository.root)/Sources"
    for name in FileManager.default.enumerator(atPath: sources)?.compactMap({ $0 as? String }) ?? []
    where name.hasSuffix(".swift") {
      if let changed = try date("\(sources)/\(name)"), changed > built {
        throw MissingProgram(
          name: station, reason: "it is older than Sources/\(name)", remedy: "Scripts/build makes it again")
      }
    }
  }

  init() throws {
    scratch = try ScratchFolder()
    try Self.program.get()
    try FileManager.default.createDirectory(atPath: scratch["clips"], withIntermediateDirectories: false)
    for name in ["high", "low"] { try clip(name) }
    try write(Bench.music(seconds: 1), to: "short.json")
  }

  var path: String { scratch.path }

  /// Writes a file of the bench.
  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: scratch[name])) }

  /// Puts a soft tone of two seconds among the clips.
  func clip(_ name: String) throws {
    try Self.tone.get().write(to: URL(filePath: "\(scratch["clips"])/\(name).mp3"))
  }

  /// The mp3 file of a tone, encoded once.
  private static let tone = Result {
    let scratch = try ScratchFolder()
    try Data(wave(seconds: 2, hertz: 440)).write(to: URL(filePath: scratch["tone.wav"]))
    let lame = try Program.run("lame", ["--quiet", "-b", "64", scratch["tone.wav"], scratch["tone.mp3"]])
    guard lame.status == 0 else { throw MissingProgram(name: "lame") }
    return try Data(contentsOf: URL(filePath: scratch["tone.mp3"]))
  }

  /// A protocol with one music step between an instruction and a completion.
  static func music(
    seconds: Double, recorders: [String] = [recorder("hr", "heartRate", "count/min")],
    choice: String = #"{ "choose": "random" }"#,
    more: String = ""
  ) -> String {
    """
    { "format": "station.protocol/1", "identifier": "Short", "version": "1.0", "title": "Short",
      "clips": { "folder": "clips" },
      "steps": [
        { "kind": "instruction", "identifier": "intro", "title": "Hello", "text": "Sit still." },
        { "kind": "music", "identifier": "music", "title": "Listen", "clip": \(choice), "stepDuration": \(seconds),
          "shouldShowDefaultTimer": true, "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,\(more)
          "recorderConfigurations": [\(recorders.joined(separator: ", "))] },
        { "kind": "completion", "identifier": "end", "title": "Thanks" } ] }

    """
  }

  /// What lets a clip of two seconds fill a longer step.
  static let looped = #" "whenShorter": "loop","#

  static func recorder(_ identifier: String, _ type: String, _ unit: String, settle: Double = 0.2) -> String {
    #"{ "identifier": "\#(identifier)", "quantityType": "\#(type)", "unit": "\#(unit)", "settle_s": \#(settle) }"#
  }

  /// A sensor that says ten heart rates a second, one higher than the other.
  static let steady =
    #"lines:exec:i=60; while echo "{\"hr\":$i,\"rr\":[$((60000/i))]}"; do i=$((i<120?i+1:40)); sleep 0.1; done"#

  /// Starts `station` in the bench's folder; its temporary folders and its cache lie there too.
  func start(
    _ arguments: [String], input: Child.Input = .nothing, environment: [String: String] = [:],
    patience: Double? = Child.patience
  ) throws -> Child {
    try Child(
      Self.station, arguments, in: path, input: input,
      environment: ["TMPDIR": path, "XDG_CACHE_HOME": "\(path)/.cache", "LC_ALL": "C.UTF-8"].merging(environment) {
        _, new in new
      }, patience: patience)
  }

  /// Starts a sensor that is not there, as `Scripts/pretend` does.
  func pretend(_ words: [String], environment: [String: String] = [:]) throws -> Child {
    let variables = ["TMPDIR": path, "LC_ALL": "C.UTF-8"].merging(environment) { _, new in new }
    return try Child("\(Repository.root)/.build/debug/pretend", words, in: path, environment: variables)
  }

  /// Runs `station` to its end.
  func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> (status: Int32, output: String, complaints: String) {
    let child = try start(arguments, environment: environment)
    let status = await child.end()
    return (status, child.output.text, child.complaints.text)
  }

  /// The words of `station run` with a speaker that nobody hears and nobody to press Return.
  func trial(
    _ more: [String] = ["--speaker", "silent", "--unattended"], of protocolName: String = "short.json",
    sensors: [String] = ["heartRate=\(Bench.steady)"], results: String = "results"
  ) -> [String] {
    ["run", protocolName, "--participant", "p1", "--results", results] + sensors.flatMap { ["--sensor", $0] } + more
  }

  /// The finished bundles of a results folder.
  func bundles(in results: String = "results") -> [String] {
    let folder = results.hasPrefix("/") ? results : scratch[results]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/bundles")) ?? []
    return names.sorted().map { "\(folder)/bundles/\($0)" }
  }

  /// What lies in a folder of the bench, hidden files apart.
  func names(in folder: String) -> [String] {
    let path = folder.hasPrefix("/") ? folder : scratch[folder]
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The result of a bundle.
  func result(_ bundle: String) throws -> JSONValue {
    try JSONReader.read(Array(Data(contentsOf: URL(filePath: "\(bundle)/data/result.json")))).value
  }

  private static func wave(seconds: Double, hertz: Double) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let samples = (0..<Int(seconds * 44_100)).flatMap { index in
      little(Int(6000 * sin(2 * .pi * hertz * Double(index) / 44_100)), 2)
    }
    return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
      + little(1, 2) + little(44_100, 4) + little(88_200, 4) + little(2, 2) + little(16, 2) + Array("data".utf8)
      + little(samples.count, 4) + samples
  }
}

/// A few trials at once and no more: a machine that is busy with twenty sound servers disturbs every sound. A trial waits
/// for seconds and computes for a tenth of one. Two processors are shared by four of them, each with a sound server.
actor Turns {
  static let trials = Turns(min(8, 2 * ProcessInfo.processInfo.activeProcessorCount))

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Does something when it is its turn.
  nonisolated func take<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
    await enter()
    do {
      let value = try await work()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

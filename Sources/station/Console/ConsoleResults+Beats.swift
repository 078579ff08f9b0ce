import Analysis
import Basics
import Bundles
import Quantities
import Recordings

/// The beats of a trial, as a console's windows look at them and correct them.
extension ConsoleResults {
  /// The beats of a source as they are corrected, and all sources of the trial.
  func beats(_ name: String?, _ request: JSONValue) async -> JSONValue {
    guard let path = name.flatMap({ bundle($0) }) else { return Self.noTrial }
    do {
      let sources = try await WaitingThread.run { Result { try BeatSource.all(ofBundle: path) } }.get()
      let asked = Self.source(request)
      guard let source = sources.first(where: { $0 == asked }) ?? sources.first else {
        return ["complaints": ["no heart was recorded in this trial"]]
      }
      let command = ChildCommand(
        words: ["corrections", path, "--beats", "--json"] + Self.words(of: source) + Self.view(request))
      guard case .object(var answer) = await command.run() else { return Self.noTrial }
      (answer["sources"], answer["source"]) = (.array(sources.map(\.json)), source.json)
      return .object(answer)
    } catch {
      return ["complaints": [.string("\(error)")]]
    }
  }

  /// The course of a channel between two times, in seconds.
  func waveform(_ name: String?, _ request: JSONValue) async -> JSONValue {
    guard let path = name.flatMap({ bundle($0) }), let source = Self.source(request),
      let from = request["from_s"]?.number, let to = request["to_s"]?.number, from < to
    else { return Self.noTrial }
    return await WaitingThread.run { Self.trace(of: source, in: path, from...to) }
  }

  private static func trace(of source: BeatSource, in path: String, _ times: ClosedRange<Double>) -> JSONValue {
    do throws(RecordingError) {
      let waveform = try WaveformRecording.all(path: path).first { $0.recorder == source.recorder }
      let trace = try waveform?.traces(in: times, channels: waveform?.channels.count ?? 0)
        .first { $0.channel == source.channel }
      guard let waveform, let trace else { return ["complaints": ["this trial has no such waveform"]] }
      return [
        "unit": .string(waveform.unit.symbol), "t_s": .array(trace.points.map { .finite($0.time) }),
        "values": .array(trace.points.map { .finite($0.value) }),
      ]
    } catch {
      return ["complaints": [.string("\(error)")]]
    }
  }

  /// Adds a correction, or compares those of two authors.
  func correct(_ name: String?, _ request: JSONValue) async -> JSONValue {
    guard let path = name.flatMap({ bundle($0) }), let source = Self.source(request) else { return Self.noTrial }
    func text(_ name: String) -> String? { request[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    var words = ["corrections", path, "--json"] + Self.words(of: source)
    if case .array(let authors)? = request["compare"] {
      words += authors.compactMap(\.string).map { "--compare=\($0)" }
    } else {
      words += Self.edit(request) + ["author", "reason"].compactMap { name in text(name).map { "--\(name)=\($0)" } }
      words += Self.view(request)
    }
    return await ChildCommand(words: words).run()
  }

  private static let noTrial: JSONValue = ["complaints": ["the results folder has no such trial any more"]]

  private static func source(_ request: JSONValue) -> BeatSource? {
    guard let source = request["source"], let sensor = source["sensor"]?.string else { return nil }
    return BeatSource(sensor: sensor, recorder: source["recorder"]?.string, channel: source["channel"]?.string)
  }

  private static func words(of source: BeatSource) -> [String] {
    guard let recorder = source.recorder else { return ["--sensor=\(source.sensor)"] }
    return ["--recorder=\(recorder)", "--detect"] + (source.channel.map { ["--channel=\($0)"] } ?? [])
  }

  private static func view(_ request: JSONValue) -> [String] {
    request["view"]?.string.map { ["--corrections=\($0)"] } ?? []
  }

  private static func edit(_ request: JSONValue) -> [String] {
    let numbers = (request["at"]?.array ?? []).compactMap(\.number).map { $0.formatted }.joined(separator: ":")
    return switch request["edit"]?.string.flatMap(Correction.Edit.Kind.init) {
    case .deleteBeat: ["--delete=\(numbers)"]
    case .insertBeat: ["--insert=\(numbers)"]
    case .moveBeat: ["--move=\(numbers)"]
    case .unusable: ["--unusable=\(numbers)"]
    case .undo: ["--undo=\(numbers)"]
    case .reviewed: ["--reviewed"]
    case nil: []
    }
  }
}

extension Double {
  /// The number as an option takes it.
  fileprivate var formatted: String { self == rounded() && magnitude < 1e9 ? "\(Int(self))" : "\(self)" }
}

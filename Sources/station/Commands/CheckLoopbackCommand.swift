import Basics
import Glibc
import Laboratory
import Quantities
import Session
import Sound
import Study

extension Command {
  /// The output latency that recorded clicks show, which is kept.
  static let checkLoopback = Command(
    "check loopback", "plays clicks, records them with a microphone, and keeps the output latency they show",
    options: [
      .init("microphone", value: "SOURCE", "the source that hears the clicks; “default” is the server's choice"),
      .init("clicks", value: "N", "the number of clicks to measure (default: 25)"),
      .init("measured-ms", value: "LATENCY", "the output latency, measured by other means; it wins"),
      .init("uncertainty-ms", value: "N", "how far that may be from the truth"),
      .init("no-keep", "only show what was found"), .init("replace", "replace an earlier latency of this speaker"),
      .speaker, .resultsOfSettings, .json(),
    ]
  ) { try await LoopbackRequest($0).run() }
}

private struct LoopbackRequest {
  let arguments: Arguments
  let clicks: Int
  let measured: OutputLatency?
  let settings: AppliedSettings
  let speaker: SpeakerChoice

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    clicks = try arguments.wholeNumber("clicks", 5...1000) ?? 25
    let latency = try arguments.number("measured-ms", StationSettings.latencyRange, "milliseconds")
    let uncertainty = try arguments.number("uncertainty-ms", StationSettings.latencyRange, "milliseconds")
    guard (latency == nil) == (uncertainty == nil) else {
      throw arguments.refusal(
        "--measured-ms and --uncertainty-ms belong together, for example --measured-ms 6.2 --uncertainty-ms 0.3")
    }
    measured = latency.map {
      OutputLatency(Duration(milliseconds: $0), uncertainty: Duration(milliseconds: uncertainty ?? 0), basis: .measured)
    }
    guard arguments.has("microphone") || measured != nil else {
      throw arguments.refusal("missing --microphone SOURCE, for example --microphone default")
    }
    settings = try AppliedSettings(arguments)
    speaker = try settings.audibleSpeaker(arguments)
  }

  func run() async throws -> ExitStatus {
    let (path, keeps) = (settings.userPath, !arguments.has("no-keep"))
    if keeps, path == nil {
      throw Failure(
        "cannot keep an output latency: neither XDG_CONFIG_HOME nor HOME is set; set one of them, or add --no-keep")
    }
    let speaker = try await speaker.open(refusesNullSink: false)
    do {
      guard let sink = speaker.description.sink else {
        throw Failure("cannot keep an output latency: the sound server does not name the sink; name it with --speaker")
      }
      // Before anyone measures for nothing.
      if keeps, !arguments.has("replace"),
        let old = settings.sinkLatencies.first(where: { $0.value.sink == sink })?.value.kept
      {
        throw Failure("\(StationSettings.LatencyRefusal.exists(old))")
      }
      let result = try await check(speaker)
      await speaker.close()
      return try report(result, sink, path: keeps && result?.source.isMonitor != true ? path : nil)
    } catch {
      await speaker.close()
      throw error
    }
  }

  /// Plays and records the clicks; `nil` without a microphone.
  private func check(_ speaker: any Speaker) async throws -> LoopbackResult? {
    guard let microphone = arguments["microphone"] else { return nil }
    let isJSON = arguments.isJSON
    let console = Console.standard
    console.note(speaker.description.notes)
    let format = SoundFormat(sampleRate: speaker.description.sinkRate ?? 48_000, channels: 2)
    try await console.prepare(speaker, for: format)
    let heard = try await HeardMicrophone(microphone, besides: speaker)
    defer { heard.close() }
    if !isJSON {
      console.line(heard.line(speaker))
      console.line("click   microphone − onset, ms   times the noise")
    }
    var check = LoopbackCheck(of: heard.source, heard.sound)
    var last: OnsetTrial?
    var number = 0
    while !check.isComplete(clicks) {
      number += 1
      let before = check.trials.count
      last = try await check.play(through: speaker, after: last)
      guard !isJSON else { continue }
      let found = check.trials.count > before ? check.trials.last : nil
      let cells = [(found?.unexplained.milliseconds.fixed(3) ?? "–", 26), (found?.ratio.fixed(0) ?? "–", 18)]
      console.line("\(number)".padded(to: 5, isRight: true) + cells.map { $0.padded(to: $1, isRight: true) }.joined())
    }
    return try check.result()
  }

  private func report(_ result: LoopbackResult?, _ sink: String, path: String?) throws -> ExitStatus {
    let console = Console.standard
    let latency = try measured ?? result?.outputLatency() ?? .zero
    if let path, let date = CalendarDate.today {
      try StationSettings.write(.init(latency, on: date), of: sink, to: path, replacing: arguments.has("replace"))
    }
    if arguments.isJSON {
      console.write(Self.json(result, latency, sink, isKept: path != nil))
    } else {
      console.lines(result.map(Self.lines) ?? [])
      console.line(
        "output latency of “\(sink)”: \(latency.latency.milliseconds.fixed(3)) ± \(latency.uncertainty.milliseconds.fixed(3)) ms"
          + (path.map { ", kept in \($0.visible)" } ?? ", not kept"))
    }
    if result?.source.isMonitor == true {
      console.report(
        "note: a monitor hears what the sink is given, and not what leaves the loudspeaker: nothing was kept")
    }
    if let measured, let result, !result.allows(measured) {
      console.report(
        "note: the measured latency is more than the round trip leaves, \(result.unexplained.milliseconds.fixed(3)) ms; see whether "
          + "it is that of this sink")
    }
    return .done
  }

  private static func lines(_ result: LoopbackResult) -> [String] {
    [
      "round trip of card, cable and room: \(result.roundTrip.milliseconds.fixed(3)) ms, of which the server knows "
        + "\(result.source.inputLatency.milliseconds.fixed(3)) ms for the microphone",
      "unexplained, in ms: \(result.course.text(decimals: 3))",
    ]
  }

  private static func json(
    _ result: LoopbackResult?, _ latency: OutputLatency, _ sink: String, isKept: Bool
  ) -> JSONValue {
    var object: [String: JSONValue] = [
      "sink": .string(sink), "outputLatency_ns": .integer(latency.latency.nanoseconds),
      "outputLatencyUncertainty_ns": .integer(latency.uncertainty.nanoseconds),
      "outputLatencyBasis": .text(latency.basis?.rawValue), "kept": .bool(isKept), "source": .null,
    ]
    guard let result else { return .object(object) }
    object["source"] = [
      "name": .string(result.source.source), "monitor": .bool(result.source.isMonitor),
      "rate": .integer(Int64(result.source.rate)), "inputLatency_ns": .integer(result.source.inputLatency.nanoseconds),
    ]
    object["roundTrip_ns"] = .integer(result.roundTrip.nanoseconds)
    object["unexplained_ns"] = result.course.json
    object["clicks"] = .array(
      result.trials.map {
        [
          "played_ns": .integer($0.played.moment.nanoseconds),
          "uncertainty_ns": .integer($0.played.uncertainty.nanoseconds),
          "heard_ns": .integer($0.heard.nanoseconds), "timesNoise": .number(min($0.ratio, 1e6).rounded()),
        ]
      })
    return .object(object)
  }
}

/// A microphone that is listened to beside a speaker.
struct HeardMicrophone {
  let sound = HeardSound()
  let source: CaptureDescription
  private let capture: any Capture
  private let listening: Task<Void, Never>

  /// Opens it; `default` is the server's choice.
  init(_ name: String, besides speaker: any Speaker) async throws {
    let events = AsyncStream.makeStream(of: CaptureEvent.self)
    capture = try await Microphone.open(name == "default" ? nil : name, besides: speaker) {
      events.continuation.yield($0)
    }
    source = capture.description
    listening = Task { [sound, source] in
      for await event in events.stream { sound.take(event, channels: source.channels) }
    }
  }

  /// What is played to and listened to.
  func line(_ speaker: any Speaker) -> String {
    "\(source.server), sink “\(speaker.description.sink ?? "?")”, source “\(source.source)”"
  }

  func close() {
    capture.close()
    listening.cancel()
  }
}

extension MeasuredDurations {
  /// The statistics in milliseconds, as people read them.
  func text(decimals: Int) -> String {
    let values = [("median", median), ("SD", deviation), ("min", least), ("max", most)]
    return values.map { "\($0) \($1.milliseconds.fixed(decimals))" }.joined(separator: ", ") + ", n \(count)"
  }

  var json: JSONValue {
    [
      "median": .integer(median.nanoseconds), "sd": .integer(deviation.nanoseconds), "min": .integer(least.nanoseconds),
      "max": .integer(most.nanoseconds),
    ]
  }
}

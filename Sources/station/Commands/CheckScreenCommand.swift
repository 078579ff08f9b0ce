import Basics
import Bundles
import Laboratory
import Pages
import Quantities
import Session
import Sound
import Study

extension Command {
  /// How late the participant's monitor is, which is kept.
  static let checkScreen = Command(
    "check screen", "measures with a photodiode how late the participant's monitor is, and keeps that",
    options: [
      .init("microphone", value: "SOURCE", "the source that has the photodiode and hears the clicks, or “default”"),
      .init("flashes", value: "N", "the number of flashes to measure (default: 50)"),
      .init("browser", "start Chromium on the page, in full screen"),
      .init("screen", value: "N", "the monitor on which that is, from 1 (X11 only)"),
      .init("measured-ms", value: "DELAY", "the delay, measured by other means"),
      .init("uncertainty-ms", value: "N", "how far the delay of a single frame may be from that"),
      .init("width-mm", value: "N", "the width of what the monitor shows, by which pictures get their size"),
      .init("no-keep", "only show what was found"), .init("replace", "replace an earlier delay"), .speaker,
      .resultsOfSettings, .json(),
    ]
  ) { try await ScreenRequest($0).run() }
}

private struct ScreenRequest {
  let arguments: Arguments
  let flashes: Int
  let screen: Int?
  let given: MonitorFacts
  let settings: AppliedSettings
  let speaker: SpeakerChoice?

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    flashes = try arguments.wholeNumber("flashes", 5...1000) ?? 50
    screen = try arguments.wholeNumber("screen", 1...16)
    let delay = try arguments.number("measured-ms", StationSettings.latencyRange, "milliseconds")
    let uncertainty = try arguments.number("uncertainty-ms", StationSettings.latencyRange, "milliseconds")
    let width = try arguments.number("width-mm", StationSettings.monitorWidths, "millimetres")
    guard (delay == nil) == (uncertainty == nil) else {
      throw arguments.refusal(
        "--measured-ms and --uncertainty-ms belong together, for example --measured-ms 21.5 --uncertainty-ms 9")
    }
    let hasMicrophone = arguments.has("microphone")
    guard hasMicrophone || delay != nil || width != nil else {
      throw arguments.refusal("missing --microphone SOURCE, for example --microphone default, or --width-mm N")
    }
    guard !hasMicrophone || delay == nil else {
      throw arguments.refusal("--microphone measures the delay that --measured-ms gives; leave one of them out")
    }
    for option in ["flashes", "browser", "speaker"] where arguments.has(option) && !hasMicrophone {
      throw arguments.refusal("--\(option) is for a measurement; add --microphone SOURCE")
    }
    guard screen == nil || arguments.has("browser") else {
      throw arguments.refusal("--screen is where --browser shows the page; add --browser")
    }
    given = MonitorFacts(
      delay: delay.map { .init(Duration(milliseconds: $0), uncertainty: Duration(milliseconds: uncertainty ?? 0)) },
      width: width)
    settings = try AppliedSettings(arguments)
    speaker = hasMicrophone ? try settings.audibleSpeaker(arguments) : nil
  }

  func run() async throws -> ExitStatus {
    let keeps = !arguments.has("no-keep")
    if keeps, settings.userPath == nil {
      throw Failure("cannot keep a delay: neither XDG_CONFIG_HOME nor HOME is set; set one of them, or add --no-keep")
    }
    // Before anyone measures for nothing.
    if keeps, !arguments.has("replace"), given.delay != nil || speaker != nil,
      let old = settings.monitor?.value, old.facts.delay != nil
    {
      throw Failure("\(StationSettings.MonitorRefusal.exists(old))")
    }
    var facts = given
    let result = try await measure()
    if let result { facts.delay = .init(result.delay, uncertainty: result.uncertainty) }
    let isMonitor = result?.clicks.source.isMonitor ?? false
    let path = keeps && !isMonitor ? settings.userPath : nil
    if let path, let date = CalendarDate.today {
      try StationSettings.write(.init(facts, on: date), to: path, replacing: arguments.has("replace"))
    }
    report(facts, result, path)
    if isMonitor { Console.standard.report("note: a monitor of a sink has no photodiode: nothing was kept") }
    return .done
  }

  /// Shows and measures the flashes; `nil` without a microphone.
  private func measure() async throws -> LightResult? {
    guard let choice = speaker, let microphone = arguments["microphone"] else { return nil }
    let speaker = try await choice.open(refusesNullSink: false, outputLatency: settings.outputLatencies())
    do {
      let result = try await measure(speaker, microphone)
      await speaker.close()
      return result
    } catch {
      await speaker.close()
      throw error
    }
  }

  private func measure(_ speaker: any Speaker, _ microphone: String) async throws -> LightResult {
    let console = Console.standard
    console.note(speaker.description.notes)
    let format = SoundFormat(sampleRate: speaker.description.sinkRate ?? 48_000, channels: 2)
    try await console.prepare(speaker, for: format)
    let heard = try await HeardMicrophone(microphone, besides: speaker)
    defer { heard.close() }
    let page = try ServedPage(Phrases(), [:], MonitorFacts(), on: console, isJSON: arguments.isJSON)
    defer { page.close() }
    // A browser over all of the screen must not outlive the station.
    Interrupts.endTidily { page.close() }
    if arguments.has("browser") { try page.startBrowser(on: screen) }
    if !arguments.isJSON { console.line(heard.line(speaker)) }
    var fields = CheckedFields(on: page.page)
    try await fields.begin()
    if !arguments.isJSON { console.line("flash   photodiode − frame − click, ms   times the noise") }
    var (clicks, light) = (LoopbackCheck(of: heard.source, heard.sound), LightCheck(of: heard.source, heard.sound))
    var last: OnsetTrial?
    for number in 1...flashes {
      // A click is over before the screen becomes bright, and comes after it is dark again.
      last = try await clicks.play(through: speaker, after: last)
      let found = try await light.look(for: try await fields.show(isBright: true))
      _ = try await fields.show(isBright: false)
      guard !arguments.isJSON else { continue }
      let delay = found.flatMap { found in
        clicks.trials.last.map { found.painted.moment.duration(to: found.seen) - $0.unexplained }
      }
      let cells = [(delay?.milliseconds.fixed(2) ?? "–", 34), (found?.ratio.fixed(0) ?? "–", 18)]
      console.line("\(number)".padded(to: 5, isRight: true) + cells.map { $0.padded(to: $1, isRight: true) }.joined())
    }
    let facts = speaker.description.facts
    return try light.result(
      besides: clicks.result(),
      OutputLatency(facts.outputLatency, uncertainty: facts.outputLatencyUncertainty, basis: facts.outputLatencyBasis))
  }

  private func report(_ facts: MonitorFacts, _ result: LightResult?, _ path: String?) {
    let console = Console.standard
    guard !arguments.isJSON else { return console.write(Self.json(facts, result, isKept: path != nil)) }
    if let result {
      console.line("clicks, unexplained, in ms: \(result.clicks.course.text(decimals: 3))")
      console.line("delay of the monitor, in ms: \(result.delays.text(decimals: 2))")
    }
    let end = path.map { ", kept in \($0.visible)" } ?? ", not kept"
    if let delay = facts.delay {
      let (median, uncertainty) = (delay.median.milliseconds, delay.uncertainty.milliseconds)
      console.line("the participant's monitor is \(median.fixed(1)) ± \(uncertainty.fixed(1)) ms late\(end)")
    }
    if let width = facts.width { console.line("the participant's monitor is \(width.fixed(1)) mm wide\(end)") }
  }

  private static func json(_ facts: MonitorFacts, _ result: LightResult?, isKept: Bool) -> JSONValue {
    var object: [String: JSONValue] = [
      "delay_ns": (facts.delay?.median.nanoseconds).map { .integer($0) } ?? .null,
      "uncertainty_ns": (facts.delay?.uncertainty.nanoseconds).map { .integer($0) } ?? .null,
      "width_mm": facts.width.map { .number($0) } ?? .null, "kept": .bool(isKept),
    ]
    guard let result else { return .object(object) }
    object["source"] = .string(result.clicks.source.source)
    object["delays_ns"] = result.delays.json
    object["clicks_ns"] = result.clicks.course.json
    object["flashes"] = .array(
      result.trials.map {
        [
          "painted_ns": .integer($0.painted.moment.nanoseconds),
          "uncertainty_ns": .integer($0.painted.uncertainty.nanoseconds), "seen_ns": .integer($0.seen.nanoseconds),
          "delay_ns": .integer(result.delay(of: $0).nanoseconds), "timesNoise": .number($0.ratio.rounded()),
        ]
      })
    return .object(object)
  }
}

/// White and black screens of a page, one after the other.
private struct CheckedFields {
  private enum Event {
    case input(ParticipantInput)
    /// A screen was not painted in time.
    case overdue(Int)
  }

  private let page: ParticipantPage
  private let events = AsyncStream.makeStream(of: Event.self)
  private var number = 1

  /// How long a screen may take.
  private static let patience = Duration.seconds(5)

  init(on page: ParticipantPage) {
    self.page = page
    page.answer(to: { [continuation = events.continuation] input, _ in continuation.yield(.input(input)) })
  }

  /// Shows where the photodiode belongs, until someone presses the button.
  mutating func begin() async throws {
    page.show(
      .check(
        number, title: "Put the photodiode on the cross",
        texts: ["The screen flashes after that. Leave mouse and keyboard alone until it ends."], look: .cross,
        buttons: [.start]))
    for await event in events.stream {
      if case .input(.answered(let answer)) = event, answer.deed == .goOn { break }
    }
    _ = try await show(isBright: false)
  }

  /// Fills the screen.
  ///
  /// - Returns: when that was painted.
  mutating func show(isBright: Bool) async throws -> MeasuredMoment {
    number += 1
    page.show(.check(number, look: .field(isBright: isBright)))
    let overdue = Task { [number, continuation = events.continuation] in
      try await Task.sleep(for: Self.patience)
      continuation.yield(.overdue(number))
    }
    defer { overdue.cancel() }
    for await event in events.stream {
      switch event {
      case .input(.painted(let paint)) where paint.screen == number: return paint.painted
      case .input(.page(.lost)): throw Failure("the page is gone: leave it open until the check ends")
      case .input(.page(.hidden)): throw Failure("the page is hidden: leave it in front until the check ends")
      case .overdue(number):
        throw Failure("the page has not painted a screen within 5 s: see whether its browser still responds")
      case .input, .overdue: break
      }
    }
    throw CancellationError()
  }
}

import Basics
import Glibc
import Quantities
import Study
import Testing

@testable import Sound

@Suite("A speaker on a real PulseAudio", .timeLimit(.minutes(5)))
struct PulseSpeakerTests {
  private static let format = SoundFormat(sampleRate: 48_000, channels: 2)

  private static func stimulus(_ duration: Duration, _ format: SoundFormat = format) -> Stimulus {
    let frames = Frames(nanoseconds: duration.nanoseconds, rate: format.sampleRate).count
    return Stimulus(format: format, samples: [Float](repeating: 0.25, count: frames * format.channels))
  }

  private static var soon: Moment { MonotonicClock().now.advanced(by: .milliseconds(200)) }

  /// A private server, which needs `pulseaudio`: Scripts/test installs it.
  private static func server() throws -> PrivateSoundServer { try PrivateSoundServer() }

  @Test(
    "plays stimuli of several formats one after another, each whole",
    arguments: [
      [SoundFormat(sampleRate: 48_000, channels: 2)],
      [
        SoundFormat(sampleRate: 44_100, channels: 2), SoundFormat(sampleRate: 22_050, channels: 1),
        SoundFormat(sampleRate: 44_100, channels: 2),
      ],
    ])
  func plays(formats: [SoundFormat]) async throws {
    let speaker = try await PulseSpeaker.silent()
    for format in formats {
      try await speaker.prepare(format)
      try await speaker.prepare(format)
      let moment = Self.soon
      let stimulus = Self.stimulus(.milliseconds(60), format)
      let playback = try await speaker.play(stimulus, at: moment)
      let events = await playback.events.reduce(into: []) { $0.append($1) }
      let heard = events.filter { if case .disturbed = $0 { false } else { true } }
      guard case .started(let onset) = heard.first, case .ended(let end, let frames) = heard.last else {
        Issue.record("not started and ended: \(events)")
        continue
      }
      #expect(heard.count == 2)
      #expect(onset.moment < end.moment && onset.uncertainty > .zero && end.uncertainty > .zero)
      #expect(frames <= stimulus.frames)
      #expect(frames == stimulus.frames || heard.count < events.count, "frames go missing only in a gap that is told")
    }
    await speaker.close()
  }

  @Test("says what it is")
  func description() async throws {
    let speaker = try await PulseSpeaker.silent()
    try await speaker.prepare(Self.format)
    let description = speaker.description
    #expect(description.kind == "silent" && !description.isAudible)
    #expect(description.sink == "silent" && description.sinkDescription == "Silence" && description.sinkRate == 48_000)
    #expect(description.server?.hasPrefix("pulseaudio ") == true)
    #expect(description.lead >= .milliseconds(100))
    await speaker.close()
  }

  @Test("a moment that is past sounds all the same")
  func past() async throws {
    let speaker = try await PulseSpeaker.silent()
    let moment = MonotonicClock().now
    let playback = try await speaker.play(Self.stimulus(.milliseconds(20)), at: moment)
    var onset: Moment?
    for await case .started(let measured) in playback.events { onset = measured.moment }
    #expect(try #require(onset) > moment)
    await speaker.close()
  }

  @Test("stops early and says how much was heard")
  func stop() async throws {
    let speaker = try await PulseSpeaker.silent()
    let stimulus = Self.stimulus(.seconds(50))
    let playback = try await speaker.play(stimulus, at: Self.soon)
    var frames: Int?
    for await event in playback.events {
      switch event {
      case .started: await playback.stop(fade: .milliseconds(10))
      case .ended(_, let played): frames = played
      default: break
      }
    }
    let played = try #require(frames)
    #expect(played > 0 && played < stimulus.frames)
    // The stream goes on: the next one plays.
    let next = try await speaker.play(Self.stimulus(.milliseconds(20)), at: Self.soon)
    let events = await next.events.reduce(into: []) { $0.append($1) }
    guard case .ended = events.last else { throw Unexpected(events) }
    await speaker.close()
  }

  @Test("refuses a second stimulus while one plays")
  func oneAtATime() async throws {
    let speaker = try await PulseSpeaker.silent()
    let first = try await speaker.play(Self.stimulus(.seconds(50)), at: Self.soon)
    await #expect(throws: SoundServerError(action: "play", reason: "another stimulus is still playing")) {
      try await speaker.play(Self.stimulus(.milliseconds(20)), at: Self.soon)
    }
    await first.stop(fade: .zero)
    await speaker.close()
  }

  @Test("a server that dies ends the sound with a reason, and the next stimulus too")
  func serverDies() async throws {
    let server = try Self.server()
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let playback = try await speaker.play(Self.stimulus(.seconds(50)), at: Self.soon)
    var events: [PlaybackEvent] = []
    for await event in playback.events {
      events.append(event)
      if case .started = event { server.stop() }
    }
    #expect(
      events.last == .failed(reason: "cannot go on playing: the sound server went away; start PulseAudio again"))
    let error = await #expect(throws: SoundServerError.self) {
      try await speaker.play(Self.stimulus(.milliseconds(20)), at: Self.soon)
    }
    #expect(error?.description.contains("start PipeWire or PulseAudio, or rehearse with --speaker silent") == true)
    await speaker.close()
  }

  @Test("a server that dies before the onset makes play throw")
  func serverDiesEarly() async throws {
    let server = try Self.server()
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    try await speaker.prepare(Self.format)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(throws: SoundServerError.self) {
          _ = try await speaker.play(
            Self.stimulus(.milliseconds(20)), at: MonotonicClock().now.advanced(by: .seconds(3000)))
        }
      }
      group.addTask { server.stop() }
    }
    await speaker.close()
  }

  @Test("a sink that goes away ends the sound with a reason")
  func sinkGoes() async throws {
    let server = try Self.server()
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let playback = try await speaker.play(Self.stimulus(.seconds(50)), at: Self.soon)
    var last: PlaybackEvent?
    for await event in playback.events {
      last = event
      if case .started = event { server.tell("unload-module module-null-sink") }
    }
    #expect(last == .failed(reason: "cannot go on playing: the sink went away; look for the sound card"))
    await speaker.close()
  }

  @Test("a suspended sink is reported, and so is its resumption")
  func suspension() async throws {
    let server = try Self.server()
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let playback = try await speaker.play(Self.stimulus(.seconds(50)), at: Self.soon)
    var told: [PlaybackEvent] = []
    for await event in playback.events {
      told.append(event)
      switch event {
      case .started: server.tell("suspend-sink silent 1")
      case .disturbed(.suspended): server.tell("suspend-sink silent 0")
      case .disturbed(.resumed): await playback.stop(fade: .milliseconds(10))
      default: break
      }
    }
    #expect(told.contains(.disturbed(.suspended)) && told.contains(.disturbed(.resumed)))
    guard case .ended = told.last else { throw Unexpected(told) }
    await speaker.close()
  }

  @Test("a sink that stays suspended ends the sound with a reason, after it was told")
  func staysSuspended() async throws {
    let server = try Self.server()
    let speaker = try await PulseSpeaker(
      server: server.address, sink: "silent", patience: Patience(answer: .seconds(4)))
    // It is lost four seconds after it should have ended, which is soon once it is stopped.
    let playback = try await speaker.play(Self.stimulus(.seconds(50)), at: Self.soon)
    var told: [PlaybackEvent] = []
    for await event in playback.events {
      told.append(event)
      switch event {
      case .started: server.tell("suspend-sink silent 1")
      case .disturbed(.suspended): await playback.stop(fade: .milliseconds(10))
      default: break
      }
    }
    #expect(told.contains(.disturbed(.suspended)))
    #expect(told.last == .failed(reason: "the sink “silent” is suspended"))
    await speaker.close()
  }

  @Test(
    "a server that is frozen ends the sound with a reason, and the speaker can be closed", arguments: [true, false])
  func frozen(stopping: Bool) async throws {
    let server = try Self.server()
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let playback = try await speaker.play(Self.stimulus(.seconds(50)), at: Self.soon)
    var told: [PlaybackEvent] = []
    for await event in playback.events {
      told.append(event)
      guard case .started = event else { continue }
      kill(server.processIdentifier, SIGSTOP)
      if stopping { await playback.stop(fade: .milliseconds(10)) }
    }
    if case .failed(let reason) = told.last {
      #expect(reason.hasPrefix("the sound server has not answered for "))
    } else {
      Issue.record("\(told)")
    }
    await speaker.close()
    server.stop()
  }

  @Test("a suspended sink cannot be prepared, and the error says what to do")
  func openSuspended() async throws {
    let server = try Self.server()
    server.tell("suspend-sink silent 1")
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let error = await #expect(throws: SoundServerError.self) { try await speaker.prepare(Self.format) }
    #expect(error?.reason == "the sink “silent” is suspended")
    #expect(error?.advice == "resume it with `pactl suspend-sink silent 0`, or choose another with --speaker")
    server.tell("suspend-sink silent 0")
    try await speaker.prepare(Self.format)
    await speaker.close()
  }

  @Test("a frozen server cannot be prepared, first or again, and the speaker can be closed", arguments: [true, false])
  func openFrozen(isFirst: Bool) async throws {
    let server = try Self.server()
    let speaker = try await PulseSpeaker(
      server: server.address, sink: "silent", patience: isFirst ? Patience(opening: .milliseconds(200)) : Patience())
    if !isFirst { try await speaker.prepare(Self.format) }
    kill(server.processIdentifier, SIGSTOP)
    let error = await #expect(throws: SoundServerError.self) { try await speaker.prepare(Self.format) }
    #expect(error?.reason == "the sound server does not answer")
    await speaker.close()
    server.stop()
  }

  @Test("after a server was stopped and goes on, no onset precedes the handing over, and the stimulus is whole")
  func stoppedServer() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    try await speaker.prepare(Self.format)
    let clock = MonotonicClock()
    for _ in 0..<3 {
      kill(server.processIdentifier, SIGSTOP)
      try await clock.sleep(for: .milliseconds(1500))
      let called = clock.now
      kill(server.processIdentifier, SIGCONT)
      let stimulus = Self.stimulus(.milliseconds(300))
      let playback = try await speaker.play(stimulus, at: clock.now.advanced(by: speaker.description.lead))
      var onset: MeasuredMoment?
      var end: MeasuredMoment?
      for await event in playback.events {
        if case .started(let moment) = event { onset = moment }
        if case .ended(let moment, _) = event { end = moment }
      }
      let (first, last) = try (#require(onset), #require(end))
      #expect(first.moment >= called)
      let length = first.moment.duration(to: last.moment)
      let uncertainty = first.uncertainty + last.uncertainty + .microseconds(200)
      #expect(length + uncertainty >= stimulus.duration, "\(length) ± \(uncertainty)")
    }
    await speaker.close()
  }

  @Test("the server's own choice of a null sink is refused unless the caller takes it, and taken when it is named")
  func nullSink() async throws {
    let server = try PrivateSoundServer(sink: "auto_null")
    defer { server.stop() }
    let error = await #expect(throws: SoundServerError.self) { _ = try await PulseSpeaker(server: server.address) }
    #expect(error?.reason.contains("“auto_null”") == true && error?.advice?.contains("--speaker silent") == true)
    for (sink, refusesNullSink) in [("auto_null", true), (nil, false)] as [(String?, Bool)] {
      let speaker = try await PulseSpeaker(server: server.address, sink: sink, refusesNullSink: refusesNullSink)
      #expect(!speaker.description.isAudible && speaker.description.notes.count == 1)
      await speaker.close()
    }
  }

  @Test("a task that is cancelled before the onset plays nothing")
  func cancelled() async throws {
    let speaker = try await PulseSpeaker.silent()
    try await speaker.prepare(Self.format)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(throws: CancellationError.self) {
          _ = try await speaker.play(
            Self.stimulus(.milliseconds(20)), at: MonotonicClock().now.advanced(by: .seconds(3000)))
        }
      }
      group.cancelAll()
    }
    let next = try await speaker.play(Self.stimulus(.milliseconds(20)), at: Self.soon)
    for await _ in next.events {}
    await speaker.close()
  }

  @Test("a sink that is not there is named beside those that are")
  func wrongSink() async throws {
    let server = try Self.server()
    await #expect(
      throws: SoundServerError(
        action: "play through the sink “ears”", reason: "PulseAudio at “\(server.address)” has no sink of that name",
        advice: "it has “silent”")
    ) { try await PulseSpeaker(server: server.address, sink: "ears") }
  }

  @Test("without a server there is an error that says what to do")
  func noServer() async throws {
    let error = await #expect(throws: SoundServerError.self) {
      try await PulseSpeaker(server: "unix:/nonexistent/socket")
    }
    #expect(
      error?.description
        == "cannot connect to PulseAudio at “unix:/nonexistent/socket”: Connection refused;"
        + " start PipeWire or PulseAudio, or rehearse with --speaker silent")
  }
}

/// What was told instead of what was awaited.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
  init(_ events: [PlaybackEvent]) { description = "\(events)" }
}

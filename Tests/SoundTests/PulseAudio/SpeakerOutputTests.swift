import Quantities
import Study
import Testing

@testable import Sound

@Suite("What a stream on a real PulseAudio plays to, and how loud", .timeLimit(.minutes(5)))
struct SpeakerOutputTests {
  private static let format = SoundFormat(sampleRate: 48_000, channels: 2)
  private static let even = SpeakerVolume(
    sink: [100, 100], isSinkMuted: false, stream: [100, 100], isStreamMuted: false)

  private static func stimulus(_ seconds: Int) -> Stimulus {
    Stimulus(format: format, samples: [Float](repeating: 0.25, count: seconds * 96_000))
  }

  private static var soon: Moment { MonotonicClock().now.advanced(by: .milliseconds(200)) }

  /// Plays for long, answers each event with what the server is told after it, and stops after the last one.
  private func heard(
    _ speaker: PulseSpeaker, _ server: PrivateSoundServer, _ orders: [String], after isCue: (PlaybackEvent) -> Bool
  ) async throws -> [PlaybackEvent] {
    let playback = try await speaker.play(Self.stimulus(50), at: Self.soon)
    var orders = orders[...]
    var told: [PlaybackEvent] = []
    for await event in playback.events {
      told.append(event)
      guard isCue(event) else { continue }
      if let order = orders.popFirst() {
        server.tell(order)
      } else {
        await playback.stop(fade: .milliseconds(10))
      }
    }
    return told
  }

  private static func others(_ events: [PlaybackEvent]) -> [String] {
    events.compactMap { if case .disturbed(.otherProgram(let name)) = $0 { name } else { nil } }
  }

  @Test("what another program plays through the sink is reported with its name, when it begins and once")
  func otherProgram() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    try await speaker.prepare(Self.format)
    let sine = "load-module module-sine sink=silent"
    let told = try await heard(speaker, server, [sine]) { event in
      switch event {
      case .started, .disturbed(.otherProgram): true
      default: false
      }
    }
    #expect(Self.others(told) == ["440 Hz Sine"])
    // By now it plays from the first frame on.
    let again = try await heard(
      speaker, server, [], after: { if case .disturbed(.otherProgram) = $0 { true } else { false } })
    #expect(Self.others(again) == ["440 Hz Sine"])
    await speaker.close()
  }

  @Test(
    "another client's stream is told of by the name of its program; a stream of our own, or on another sink, is not")
  func otherClient() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    server.tell("load-module module-null-sink sink_name=second")
    server.tell("load-module module-sine sink=second")
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    try await speaker.prepare(SoundFormat(sampleRate: 44_100, channels: 2))
    try await speaker.prepare(Self.format)
    let alone = try await heard(speaker, server, [], after: { if case .started = $0 { true } else { false } })
    #expect(Self.others(alone) == [])
    let other = try await PulseSpeaker(server: server.address, sink: "silent")
    try await other.prepare(Self.format)
    let told = try await heard(
      speaker, server, [], after: { if case .disturbed(.otherProgram) = $0 { true } else { false } })
    #expect(Self.others(told) == ["station"])
    await other.close()
    await speaker.close()
  }

  @Test(
    "a sink that cannot be heard is refused, with the remedy, and taken when it can",
    arguments: [
      (
        order: "set-sink-mute silent 1", remedy: "set-sink-mute silent 0", reason: "the sink “silent” is muted",
        advice: "unmute it with `pactl set-sink-mute silent 0`"
      ),
      (
        "set-sink-volume silent 0", "set-sink-volume silent 65536", "the volume of the sink “silent” is zero",
        "raise it with `pactl set-sink-volume silent 100%`"
      ),
    ])
  func refused(order: String, remedy: String, reason: String, advice: String) async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    server.tell(order)
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let refusal = SoundServerError(action: "play through “silent”", reason: reason, advice: advice)
    await #expect(throws: refusal) { try await speaker.prepare(Self.format) }
    await #expect(throws: refusal) { _ = try await speaker.play(Self.stimulus(1), at: Self.soon) }
    server.tell(remedy)
    try await speaker.prepare(Self.format)
    #expect(speaker.description.volume == Self.even)
    await speaker.close()
  }

  @Test("the volume is reported, for each channel")
  func volume() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    server.tell("set-sink-volume silent 26214")
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    #expect(speaker.description.volume == nil)
    try await speaker.prepare(Self.format)
    var expected = Self.even
    expected.sink = [40, 40]
    #expect(speaker.description.volume == expected)
    #expect("\(expected)" == "sink 40 %, stream 100 %")
    await speaker.close()
  }

  @Test("a stream is at full volume and not muted, whatever the server remembers of an earlier one")
  func remembered() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    server.tell("load-module module-stream-restore")
    for turn in 0..<2 {
      let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
      try await speaker.prepare(Self.format)
      #expect(speaker.description.volume == Self.even)
      server.tell("set-sink-input-volume \(turn) 16384")
      server.tell("set-sink-input-mute \(turn) 1")
      await speaker.close()
    }
  }

  @Test(
    "muting is told while a stimulus sounds, and so is its end",
    arguments: [
      ["set-sink-mute silent 1", "set-sink-mute silent 0"], ["set-sink-input-mute 0 1", "set-sink-input-mute 0 0"],
      ["set-sink-volume silent 0", "set-sink-volume silent 65536"],
    ])
  func muted(orders: [String]) async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let told = try await heard(speaker, server, orders) { event in
      switch event {
      case .started, .disturbed(.muted), .disturbed(.unmuted): true
      default: false
      }
    }
    #expect(
      told.filter { $0 == .disturbed(.muted) || $0 == .disturbed(.unmuted) }
        == [.disturbed(.muted), .disturbed(.unmuted)])
    guard case .ended = told.last else { throw Unexpected(told) }
    await speaker.close()
  }

  @Test("a volume that is changed while a stimulus sounds is reported", arguments: [true, false])
  func changed(isSink: Bool) async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let order = isSink ? "set-sink-volume silent 32768" : "set-sink-input-volume 0 32768"
    var changed = Self.even
    if isSink { changed.sink = [50, 50] } else { changed.stream = [50, 50] }
    let told = try await heard(speaker, server, [order]) { event in
      switch event {
      case .started, .disturbed(.volumeChanged): true
      default: false
      }
    }
    #expect(told.contains(.disturbed(.volumeChanged(to: changed))))
    await speaker.close()
  }

  @Test("a volume that was changed since the speaker was made ready is reported at once")
  func changedBefore() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    try await speaker.prepare(Self.format)
    server.tell("set-sink-volume silent 32768")
    try await speaker.prepare(Self.format)
    #expect(speaker.description.volume == Self.even, "what was told before holds")
    let told = try await heard(speaker, server, []) { if case .started = $0 { true } else { false } }
    var changed = Self.even
    changed.sink = [50, 50]
    #expect(told.first == .disturbed(.volumeChanged(to: changed)))
    await speaker.close()
  }

  @Test("nobody can move a stream to another sink")
  func moved() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    try await speaker.prepare(Self.format)
    server.tell("load-module module-null-sink sink_name=other norewinds=1")
    server.tell("set-default-sink other")
    server.tell("move-sink-input 0 other")
    #expect(server.tell("list-sink-inputs").contains("<silent>"))
    let playback = try await speaker.play(Self.stimulus(50), at: Self.soon)
    var told: [PlaybackEvent] = []
    for await event in playback.events {
      told.append(event)
      guard case .started = event else { continue }
      server.tell("move-sink-input 0 other")
      await playback.stop(fade: .milliseconds(10))
    }
    guard case .ended = told.last else { throw Unexpected(told) }
    #expect(!told.contains(.disturbed(.moved(to: "other"))))
    #expect(speaker.description.sink == "silent")
    await speaker.close()
  }

  @Test("a stream whose sink goes away is not rescued to another")
  func notRescued() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    server.tell("load-module module-rescue-streams")
    server.tell("load-module module-null-sink sink_name=other norewinds=1")
    let speaker = try await PulseSpeaker(server: server.address, sink: "silent")
    let told = try await heard(speaker, server, ["unload-module 0"]) { if case .started = $0 { true } else { false } }
    #expect(told.last == .failed(reason: "cannot go on playing: the sink went away; look for the sound card"))
    await speaker.close()
  }

  @Test("a server that moves a silent stream all the same ends it, and the next is opened where it belongs")
  func astray() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let connection = try await PulseConnection(to: server.address)
    let sink = try await connection.sink(named: "silent", default: "")
    let held = try await HeldStream.open(
      Self.format, to: sink, on: connection, timing: sink.timing(on: ServerFacts()), outputLatency: .zero)
    connection.locked { held.moved(to: "other") }
    let error = await #expect(throws: SoundServerError.self) {
      _ = try await held.play(Self.stimulus(1), at: Self.soon, on: connection)
    }
    #expect(error?.reason == "the sound server has moved the stream to “other”")
  }
}

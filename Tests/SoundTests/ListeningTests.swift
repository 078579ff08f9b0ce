import Basics
import Glibc
import Quantities
import Testing

@testable import Sound

@Suite("Playing a clip as soon as possible, decoded while it plays", .timeLimit(.minutes(5)))
struct ListeningTests {
  enum Kind: CaseIterable, Sendable { case pulseAudio, pipeWire }

  private static func speaker(_ kind: Kind) async throws -> any Speaker {
    let speaker: any Speaker =
      switch kind {
      case .pulseAudio: try await PulseSpeaker.silent()
      case .pipeWire: try await PipeWireSpeaker.silent()
      }
    speaker.useForListening()
    return speaker
  }

  /// Plays a clip; `act` is called with every event.
  private static func play(
    _ stimulus: Stimulus, through speaker: any Speaker, act: (PlaybackEvent, any Playback) async -> Void = { _, _ in }
  ) async throws -> [PlaybackEvent] {
    try await speaker.prepare(stimulus.format)
    let playback = try await speaker.play(stimulus, at: MonotonicClock().now)
    var events: [PlaybackEvent] = []
    for await event in playback.events {
      events.append(event)
      await act(event, playback)
    }
    return events
  }

  private static func frames(_ events: [PlaybackEvent]) -> Int? {
    if case .ended(_, let frames) = events.last { frames } else { nil }
  }

  private static func failure(_ events: [PlaybackEvent]) -> String? {
    if case .failed(let reason) = events.last { reason } else { nil }
  }

  /// Whether the computer was so busy that the server had no time, which says nothing of the player.
  private static func isStarved(_ events: [PlaybackEvent]) -> Bool {
    failure(events)?.hasPrefix("the sound server has not answered") ?? false
  }

  private static func clip(_ scratch: Scratch, rate: Int, channels: Int, seconds: Double) throws -> String {
    try scratch.write(
      TestSound.wave(
        TestSound.noise(seconds: seconds, rate: rate, channels: channels), rate: rate, channels: channels),
      as: "clip.wav")
  }

  @Test(
    "plays all of it, or as much as is asked for, at any rate", arguments: Kind.allCases,
    [(44_100, 1, nil), (48_000, 2, nil), (44_100, 2, 0.15), (22_050, 2, 10)] as [(Int, Int, Double?)])
  func plays(kind: Kind, clip: (rate: Int, channels: Int, seconds: Double?)) async throws {
    let scratch = try Scratch()
    let path = try Self.clip(scratch, rate: clip.rate, channels: clip.channels, seconds: 0.7)
    let stimulus = try Stimulus(playing: path, duration: clip.seconds.map { .seconds($0) })
    let speaker = try await Self.speaker(kind)
    let events = try await Self.play(stimulus, through: speaker)
    guard !Self.isStarved(events) else { return }
    let wanted = Int((min(0.7, clip.seconds ?? 0.7) * Double(clip.rate)).rounded())
    #expect(stimulus.frames == wanted && stimulus.failure == nil)
    // A disturbance of this computer is reported, and what is lost is not counted.
    #expect(try #require(Self.frames(events)) == wanted || events.count > 2)
    await speaker.close()
  }

  @Test("an mp3 whose head does not say how long it is ends with its last frame")
  func unknownLength() async throws {
    let scratch = try Scratch()
    let stimulus = try Stimulus(playing: scratch.write(FrameBytes.repeated(FrameBytes.silence, 300)))
    #expect(stimulus.frames > 300 * 1152)
    let speaker = try await Self.speaker(.pulseAudio)
    let events = try await Self.play(stimulus, through: speaker)
    guard !Self.isStarved(events) else { return }
    #expect(stimulus.frames == 300 * 1152)
    #expect(try #require(Self.frames(events)) == 300 * 1152 || events.count > 2)
    await speaker.close()
  }

  @Test("fades out soon, while it is decoded and when all of it is", arguments: Kind.allCases, [60.0, 1])
  func stops(kind: Kind, seconds: Double) async throws {
    let scratch = try Scratch()
    let stimulus = try Stimulus(playing: Self.clip(scratch, rate: 44_100, channels: 2, seconds: seconds))
    let speaker = try await Self.speaker(kind)
    let events = try await Self.play(stimulus, through: speaker) { event, playback in
      if case .started = event { await playback.stop(fade: .milliseconds(50)) }
    }
    guard !Self.isStarved(events) else { return }
    let frames = try #require(Self.frames(events))
    // A second may be over before a busy computer hears of its onset.
    #expect(frames > 0 && frames <= Int(seconds * 44_100) && (seconds == 1 || frames < Int(seconds * 44_100)))
    await speaker.close()
  }

  @Test("stops with a reason where the sink is suspended or the server is frozen", arguments: [true, false])
  func stuck(isSuspended: Bool) async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let speaker = try await PulseSpeaker(server: server.address, refusesNullSink: false)
    speaker.useForListening()
    let scratch = try Scratch()
    let stimulus = try Stimulus(playing: scratch.write(FrameBytes.repeated(FrameBytes.silence, 5000)))
    let events = try await Self.play(stimulus, through: speaker) { event, playback in
      guard case .started = event else { return }
      if isSuspended {
        server.tell("suspend-sink silent 1")
      } else {
        kill(server.processIdentifier, SIGSTOP)
      }
      await playback.stop(fade: .milliseconds(50))
    }
    let reason = try #require(Self.failure(events))
    #expect(
      isSuspended
        ? reason == "the sink “silent” is suspended" : reason.hasPrefix("the sound server has not answered for"))
  }

  @Test("a clip that cannot be read any further ends there, and the reason is known")
  func unreadable() async throws {
    let scratch = try Scratch()
    let bytes =
      FrameBytes.repeated(FrameBytes.silence, 100) + FrameBytes.repeated(FrameBytes.silenceAt48, 100)
    let stimulus = try Stimulus(playing: scratch.write(bytes))
    let speaker = try await Self.speaker(.pulseAudio)
    let events = try await Self.play(stimulus, through: speaker)
    #expect(Self.frames(events) != nil && stimulus.failure != nil)
    await speaker.close()
  }

  @Test(
    "the samples are those of the clip as a trial decodes it, in pieces of any length, and again",
    arguments: [7, 4096, 100_000])
  func samples(piece: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      LAME.encode(TestSound.noise(seconds: 20)), as: "clip.mp3")
    let whole = try StimulusLoader().load(path: path).stimulus
    let stimulus = try Stimulus(playing: path)
    func samples(_ frames: Range<Int>, of stimulus: Stimulus) -> [Float] {
      var samples = [Float](repeating: 1, count: frames.count * 2)
      var span = samples.mutableSpan
      stimulus.samples.write(frames, into: &span, at: 0)
      return samples
    }
    var (start, differing) = (0, 0)
    while start < (piece == 7 ? 9000 : whole.frames) {
      let range = start..<min(start + piece, whole.frames)
      for from in Set([range.lowerBound, max(0, range.lowerBound - piece)]) {
        let frames = from..<(from + range.count)
        if samples(frames, of: whole) != samples(frames, of: stimulus) { differing += 1 }
      }
      start = range.upperBound
    }
    #expect(differing == 0)
    #expect(piece == 7 || Array(stimulus.samples.suffix(20)) == Array(whole.samples.suffix(20)))
    #expect(samples(whole.frames..<(whole.frames + 10), of: stimulus).allSatisfy { $0 == 0 })
    #expect(stimulus.frames == whole.frames)
  }
}

import Basics
import Glibc
import Quantities
import Study
import TestSupport
import Testing

@testable import Sound

@Suite("A speaker on a real PipeWire", .timeLimit(.minutes(5)))
struct PipeWireSpeakerTests {
  private static let format = SoundFormat(sampleRate: 48_000, channels: 2)

  private static func stimulus(_ duration: Duration, _ format: SoundFormat = format) -> Stimulus {
    let frames = Frames(nanoseconds: duration.nanoseconds, rate: format.sampleRate).count
    return Stimulus(format: format, samples: [Float](repeating: 0.25, count: frames * format.channels))
  }

  private static func soon(_ speaker: PipeWireSpeaker) -> Moment {
    MonotonicClock().now.advanced(by: speaker.description.lead + .microseconds(Int.random(in: 10_000..<60_000)))
  }

  private static func speaker(
    on server: PrivatePipeWire, sink: String? = nil, outputLatency: OutputLatencies = OutputLatencies()
  ) async throws -> PipeWireSpeaker {
    try await PipeWireSpeaker(
      remote: server.address, sink: sink, refusesNullSink: false, outputLatency: outputLatency)
  }

  private static func events(_ playback: any Playback) async -> [PlaybackEvent] {
    await playback.events.reduce(into: []) { $0.append($1) }
  }

  /// The onset and the offset, where the playback had both.
  private static func times(_ events: [PlaybackEvent]) -> (onset: MeasuredMoment, end: MeasuredMoment, frames: Int)? {
    guard case .started(let onset)? = events.first, case .ended(let end, let frames)? = events.last else { return nil }
    return (onset, end, frames)
  }

  @Test(
    "what it says of onset and offset is what a sink of the graph heard",
    arguments: [(48_000, 256), (48_000, 1024), (44_100, 1024), (48_000, 2048)])
  func truth(rate: Int, quantum: Int) async throws {
    let server = try PrivatePipeWire(quantum: quantum)
    let tap = try GraphTap(on: server.address)
    let speaker = try await Self.appeared("tap", on: server)
    let format = SoundFormat(sampleRate: rate, channels: 2)
    try await speaker.prepare(format)
    #expect(speaker.description.quantum == quantum && speaker.description.sinkRate == 48_000)
    var trials: [(scheduled: Moment, onset: MeasuredMoment, end: MeasuredMoment)] = []
    for _ in 0..<5 {
      let moment = Self.soon(speaker)
      let stimulus = Self.stimulus(.milliseconds(100), format)
      let events = await Self.events(try await speaker.play(stimulus, at: moment))
      let times = try #require(Self.times(events), "\(events)")
      // A disturbance of this machine is reported, and its trial compared no further.
      guard events.count == 2 else { continue }
      #expect(times.frames == stimulus.frames)
      trials.append((moment, times.onset, times.end))
    }
    await speaker.close()
    // A resampled edge rings before it rises.
    let (frames, missed) = try tap.heard()
    let heard = frames.filter { rate == 48_000 || $0.sample > 4096 }
    for trial in trials {
      let scheduled = trial.scheduled.nanoseconds
      // The trials are 40 ms apart at least.
      let near = (scheduled - 15_000_000)..<(trial.end.moment.nanoseconds + 15_000_000)
      if missed.contains(where: near.contains) { continue }
      let moments = heard.map(\.moment).filter(near.contains)
      let first = try #require(moments.first)
      let last = try #require(moments.last) + 20_833
      let bound: Int64 = rate == 48_000 ? 100 : 20_900
      #expect(abs(first - scheduled) <= 10_417 + bound)
      #expect(abs(trial.onset.moment.nanoseconds - first) <= bound)
      #expect(abs(trial.end.moment.nanoseconds - last) <= bound + 10_500)
      #expect(trial.onset.uncertainty <= .microseconds(100))
    }
  }

  /// A speaker on a sink that is about to appear.
  static func appeared(_ sink: String, on server: PrivatePipeWire) async throws -> PipeWireSpeaker {
    let deadline = MonotonicClock().now.advanced(by: .seconds(10))
    while true {
      do {
        return try await speaker(on: server, sink: sink)
      } catch {
        guard MonotonicClock().now < deadline else { throw error }
        await Task.yield()
      }
    }
  }

  @Test("says what it is")
  func description() async throws {
    let speaker = try await PipeWireSpeaker.silent()
    try await speaker.prepare(Self.format)
    let description = speaker.description
    #expect(description.kind == "silent" && !description.isAudible)
    #expect(description.sink == "silent" && description.sinkDescription == "Silence" && description.sinkRate == 48_000)
    #expect(description.server?.hasPrefix("PipeWire ") == true && description.quantum == 1024)
    #expect(description.timing == SpeakerTiming(basis: .clock, granularity: .zero))
    #expect(description.lead >= .milliseconds(40) && description.lead < .milliseconds(120))
    await speaker.close()
  }

  @Test("plays stimuli of several formats one after another, each whole")
  func formats() async throws {
    let speaker = try await PipeWireSpeaker.silent()
    for (rate, channels) in [(48_000, 2), (44_100, 2), (22_050, 1), (96_000, 1), (48_000, 6)] {
      let format = SoundFormat(sampleRate: rate, channels: channels)
      try await speaker.prepare(format)
      let stimulus = Self.stimulus(.milliseconds(60), format)
      let events = await Self.events(try await speaker.play(stimulus, at: Self.soon(speaker)))
      let times = try #require(Self.times(events))
      #expect(times.frames == stimulus.frames || events.count > 2)
      // A disturbance of this machine is reported, and its sound measured no further.
      let length = times.onset.moment.duration(to: times.end.moment)
      #expect(abs(length.nanoseconds - 60_000_000) <= 20_900 || events.count > 2)
    }
    await speaker.close()
  }

  @Test("a moment that is past sounds all the same, and the output latency is part of what is reported")
  func past() async throws {
    let server = try PrivatePipeWire()
    let speaker = try await Self.speaker(
      on: server, outputLatency: OutputLatencies(otherwise: OutputLatency(.milliseconds(30))))
    let moment = MonotonicClock().now
    let events = await Self.events(try await speaker.play(Self.stimulus(.milliseconds(20)), at: moment))
    let onset = try #require(Self.times(events)).onset.moment
    #expect(onset > moment.advanced(by: .milliseconds(30)))
    await speaker.close()
  }

  @Test("stops early and says how much was heard, and refuses a second stimulus meanwhile")
  func stop() async throws {
    let speaker = try await PipeWireSpeaker.silent()
    let stimulus = Self.stimulus(.seconds(50))
    let playback = try await speaker.play(stimulus, at: Self.soon(speaker))
    await #expect(throws: SoundServerError(action: "play", reason: "another stimulus is still playing")) {
      try await speaker.play(Self.stimulus(.milliseconds(20)), at: Self.soon(speaker))
    }
    var frames: Int?
    for await event in playback.events {
      if case .started = event { await playback.stop(fade: .milliseconds(10)) }
      if case .ended(_, let played) = event { frames = played }
    }
    let played = try #require(frames)
    #expect(played > 0 && played < stimulus.frames)
    let next = await Self.events(try await speaker.play(Self.stimulus(.milliseconds(20)), at: Self.soon(speaker)))
    #expect(Self.times(next) != nil)
    await speaker.close()
  }

  @Test("a stimulus that is stopped before its moment never sounds")
  func stopEarly() async throws {
    let speaker = try await PipeWireSpeaker.silent()
    let playback = try await speaker.play(
      Self.stimulus(.seconds(1)), at: MonotonicClock().now.advanced(by: .seconds(3000)))
    await playback.stop(fade: .zero)
    let events = await Self.events(playback)
    guard case .ended(_, frames: 0)? = events.last, events.count == 1 else { throw Unexpected(events) }
    await speaker.close()
  }

  @Test("a server that dies ends the sound with a reason, and the next stimulus too")
  func serverDies() async throws {
    let server = try PrivatePipeWire()
    let speaker = try await Self.speaker(on: server)
    let playback = try await speaker.play(Self.stimulus(.seconds(50)), at: Self.soon(speaker))
    var events: [PlaybackEvent] = []
    for await event in playback.events {
      events.append(event)
      if case .started = event { server.stop() }
    }
    guard case .failed(let reason)? = events.last else { throw Unexpected(events) }
    #expect(reason.hasPrefix("cannot go on playing: "))
    let error = await #expect(throws: SoundServerError.self) {
      try await speaker.play(Self.stimulus(.milliseconds(20)), at: Self.soon(speaker))
    }
    #expect(error?.description.contains("start PipeWire or use --speaker silent") == true)
    await speaker.close()
  }

  @Test("the private server leaves neither process nor folder behind")
  func leavesNothing() throws {
    let server = try PrivatePipeWire()
    #expect(kill(server.processIdentifier, 0) == 0 && Folder.exists(server.address))
    server.stop()
    server.stop()
    #expect(kill(server.processIdentifier, 0) != 0 && !Folder.exists(server.folder))
  }

  @Test("without a server it says what to do")
  func noServer() async throws {
    let error = await #expect(throws: SoundServerError.self) {
      try await PipeWireSpeaker(remote: "/nonexistent/pipewire-0")
    }
    #expect(error?.description.contains("start PipeWire or use --speaker silent") == true)
  }
}

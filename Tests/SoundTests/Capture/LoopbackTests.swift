import Basics
import Quantities
import Study
import Synchronization
import TestSupport
import Testing

@testable import Sound

@Suite("A loop-back check on real servers", .timeLimit(.minutes(5)))
struct LoopbackTests {
  private typealias Listener = @Sendable (CaptureEvent) -> Void

  /// Plays clicks through a speaker, and records them with what is opened on the same server.
  private static func check(
    _ speaker: any Speaker, clicks: Int = 6, _ open: (@escaping Listener) async throws -> any Capture
  ) async throws -> LoopbackResult {
    try await speaker.prepare(SoundFormat(sampleRate: speaker.description.sinkRate ?? 48_000, channels: 2))
    let (events, continuation) = AsyncStream.makeStream(of: CaptureEvent.self)
    let capture = try await open { continuation.yield($0) }
    let sound = HeardSound()
    let channels = capture.description.channels
    let listening = Task { for await event in events { sound.take(event, channels: channels) } }
    defer { listening.cancel() }
    let (result, lateness) = await Lateness.during { () async -> Result<LoopbackResult, any Error> in
      do {
        var check = LoopbackCheck(of: capture.description, sound)
        var last: OnsetTrial?
        while !check.isComplete(clicks) { last = try await check.play(through: speaker, after: last) }
        return .success(try check.result())
      } catch {
        return .failure(error)
      }
    }
    capture.close()
    await speaker.close()
    // A machine that does not keep up disturbs clicks, and holds servers up.
    if case .failure(let error) = result, let excuse = lateness.excuse {
      switch error as? LoopbackFailure {
      case .silence, .clipped, .unheard: break
      case .disturbed, .scattered, .early, .lost, nil: try Test.cancel("\(excuse)")
      }
    }
    return try result.get()
  }

  private static func room(_ words: [String], quantum: Int = 1024) async throws -> LoopbackResult {
    let server = try PrivatePipeWire(quantum: quantum)
    let room = try GraphProgram("graph_room", ["room"] + words, on: server.address)
    defer { withExtendedLifetime(room) {} }
    let speaker = try await PipeWireSpeakerTests.appeared("room", on: server)
    return try await check(speaker) {
      try await PipeWireCapture.open(remote: server.address, source: "room", listener: $0)
    }
  }

  @Test(
    "on PipeWire it finds the delay of a room to within 0.01 ms", arguments: [(0, 1024), (480, 1024), (5003, 256)])
  func room(frames: Int, quantum: Int) async throws {
    let result = try await Self.room(["\(frames)"], quantum: quantum)
    #expect(abs(result.unexplained.milliseconds - Double(frames) / 48) <= 0.01)
    #expect(result.course.deviation <= .microseconds(10) && !result.source.isMonitor)
    let latency = try result.outputLatency()
    #expect(latency.latency + latency.uncertainty >= result.unexplained)
  }

  @Test(
    "on PipeWire the monitor of the sink that drives the graph hears a click when it is played", arguments: [256, 1024])
  func driversMonitor(quantum: Int) async throws {
    let server = try PrivatePipeWire(quantum: quantum, hasMonitor: true)
    let speaker = try await PipeWireSpeaker(remote: server.address, refusesNullSink: false)
    let result = try await Self.check(speaker) {
      try await PipeWireCapture.open(remote: server.address, source: "silent.monitor", listener: $0)
    }
    #expect(result.source.isMonitor)
    #expect(abs(result.roundTrip.milliseconds) <= 0.01)
  }

  @Test("on PulseAudio the monitor of a null sink hears a click when it is played", arguments: [44_100, 48_000])
  func pulseMonitor(rate: Int) async throws {
    let server = try PrivateSoundServer(sampleRate: rate)
    let speaker = try await PulseSpeaker(server: server.address, refusesNullSink: false)
    let result = try await Self.check(speaker) {
      try await PulseCapture.open(server: server.address, source: "silent.monitor", listener: $0)
    }
    #expect(result.source.isMonitor && result.source.rate == rate)
    #expect(abs(result.unexplained.milliseconds) <= 0.3)
  }

  @Test("a microphone that hears nothing, clips, or hears too much besides, is named with what to do")
  func failures() async throws {
    let (silent, loud) = (try await Self.failure(["100", "0"]), try await Self.failure(["100", "4"]))
    #expect(silent == .silence(source: "room") && loud == .clipped(source: "room", count: 6, clicks: 6))
    let noisy = try await Self.failure(["100", "0.001", "0.5"])
    guard case .unheard("room", heard: 0, clicks: 6, _)? = noisy else {
      Issue.record("\(String(describing: noisy))")
      return
    }
  }

  /// Why the delay of a room is not found; `nil` if it is.
  private static func failure(_ words: [String]) async throws -> LoopbackFailure? {
    do {
      _ = try await room(words)
      return nil
    } catch let failure as LoopbackFailure {
      return failure
    }
  }

  @Test("a source that is not there is refused with the names there are, on both servers")
  func missing() async throws {
    let graph = try PrivatePipeWire(hasMonitor: true)
    let one = await #expect(throws: SoundServerError.self) {
      try await PipeWireCapture.open(remote: graph.address, source: "ears") { _ in }
    }
    #expect(one?.advice == "it has “silent.monitor”")
    let pulse = try PrivateSoundServer()
    let other = await #expect(throws: SoundServerError.self) {
      try await PulseCapture.open(server: pulse.address, source: "ears") { _ in }
    }
    #expect(other?.advice == "it has “silent.monitor”")
  }

  @Test("a server that dies ends the recording with a reason", arguments: [true, false])
  func serverDies(isPipeWire: Bool) async throws {
    let (events, continuation) = AsyncStream.makeStream(of: CaptureEvent.self)
    let listener: Listener = { continuation.yield($0) }
    let capture: any Capture
    let stop: () -> Void
    if isPipeWire {
      let server = try PrivatePipeWire(hasMonitor: true)
      capture = try await PipeWireCapture.open(remote: server.address, source: "silent.monitor", listener: listener)
      stop = { server.stop() }
    } else {
      let server = try PrivateSoundServer()
      capture = try await PulseCapture.open(server: server.address, source: nil, listener: listener)
      stop = { server.stop() }
    }
    var count = 0
    for await event in events {
      if case .failed = event { break }
      count += 1
      if count == 3 { stop() }
    }
    #expect(count >= 3)
    capture.close()
  }
}

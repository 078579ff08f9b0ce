import Dispatch
import Foundation
import Quantities
import Testing

@testable import Sound

@Suite("Giving up a stimulus that is not placed yet", .timeLimit(.minutes(5)))
struct CancellationTests {
  private static let stimulus = Stimulus(
    format: SoundFormat(sampleRate: 48_000, channels: 2), samples: [Float](repeating: 0.25, count: 9600))

  private static var late: Moment { MonotonicClock().now.advanced(by: .seconds(3000)) }

  private func open(_ server: PrivateSoundServer) async throws -> (HeldStream, PulseConnection) {
    let connection = try await PulseConnection(to: server.address)
    let sink = try await connection.sink(named: "silent", default: "")
    return (
      try await HeldStream.open(
        Self.stimulus.format, to: sink, on: connection, timing: sink.timing(on: ServerFacts()), outputLatency: .zero),
      connection
    )
  }

  @Test("a task can be cancelled while PulseAudio's lock is held: its thread may be about to resume that task")
  func lockOrder() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let (held, connection) = try await open(server)
    let task = Task { try await held.play(Self.stimulus, at: Self.late, on: connection) }
    while !connection.locked({ held.isPlaying }) { await Task.yield() }
    let wasCancelled = connection.locked {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        task.cancel()
        done.signal()
      }
      return done.wait(timeout: .now() + 10) == .success
    }
    #expect(wasCancelled, "who cancels must not wait for PulseAudio's thread")
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(!connection.locked { held.isPlaying })
  }

  @Test("a task that is cancelled over and over, whenever, leaves the stream free")
  func often() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    let (held, connection) = try await open(server)
    for _ in 0..<200 {
      let task = Task { try await held.play(Self.stimulus, at: Self.late, on: connection) }
      if Bool.random() { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
    let playback = try await held.play(
      Self.stimulus, at: MonotonicClock().now.advanced(by: .milliseconds(200)), on: connection)
    var last: PlaybackEvent?
    for await event in playback.events { last = event }
    guard case .ended = last else { throw Unexpected(last.map { [$0] } ?? []) }
  }
}

import Study
import TestSupport
import Testing

@testable import Quantities
@testable import Sound

@Suite("The silent speaker")
struct SilentSpeakerTests {
  private let clock = HandClock()
  private let format = SoundFormat(sampleRate: 44_100, channels: 2)
  private var tone: Stimulus { Stimulus(format: format, samples: [Float](repeating: 0.1, count: 88_200)) }
  private var start: Moment { Moment(nanoseconds: 1_000_000_000_000) }

  private func speaker(_ faults: [SilentSpeaker.Fault] = [], lead: Duration = .zero) async throws -> SilentSpeaker {
    let speaker = SilentSpeaker(clock: clock, lead: lead, faults: faults)
    try await speaker.prepare(format)
    return speaker
  }

  private func exactly(_ moment: Moment) -> MeasuredMoment { MeasuredMoment(moment: moment, uncertainty: .zero) }

  /// Waits, without waiting for time, until somebody sleeps until that moment.
  private func someoneSleeps(until moment: Moment) async {
    while clock.nextDeadline != moment { await Task.yield() }
  }

  /// Every event, while the clock is turned from deadline to deadline.
  private func events(of playback: any Playback) async -> [PlaybackEvent] {
    await withTaskGroup(of: [PlaybackEvent]?.self) { group in
      group.addTask { await playback.events.reduce(into: []) { $0.append($1) } }
      group.addTask {
        while !Task.isCancelled {
          if let deadline = clock.nextDeadline { clock.advance(to: deadline) }
          await Task.yield()
        }
        return nil
      }
      let events = await group.next() ?? nil
      group.cancelAll()
      return events ?? []
    }
  }

  @Test("A stimulus starts at its moment and ends after exactly its frames")
  func plays() async throws {
    let onset = start.advanced(by: .milliseconds(1500))
    let playback = try await speaker().play(tone, at: onset)
    #expect(
      await events(of: playback) == [
        .started(exactly(onset)), .ended(exactly(onset.advanced(by: .seconds(1))), frames: 44_100),
      ])
    #expect(clock.now == onset.advanced(by: .seconds(1)))
  }

  @Test("A moment that has passed is now, and the lead is respected", arguments: [Duration.zero, .milliseconds(80)])
  func late(lead: Duration) async throws {
    let playback = try await speaker(lead: lead).play(tone, at: start.advanced(by: .seconds(-5)))
    #expect(await events(of: playback).first == .started(exactly(start.advanced(by: lead))))
  }

  @Test("It says that nobody could hear it")
  func description() async throws {
    let description = try await speaker().description
    #expect(description.kind == "silent")
    #expect(!description.isAudible)
  }

  @Test("The configured uncertainty is reported")
  func uncertainty() async throws {
    let speaker = SilentSpeaker(clock: clock, uncertainty: .microseconds(20))
    try await speaker.prepare(format)
    let events = await events(of: try await speaker.play(tone, at: start))
    #expect(events.first == .started(MeasuredMoment(moment: start, uncertainty: .microseconds(20))))
  }

  @Test("A stop ends it after the fade, and wakes whoever waits for its end")
  func stops() async throws {
    let onset = start.advanced(by: .seconds(1))
    let playback = try await speaker().play(tone, at: onset)
    async let events = playback.events.reduce(into: [PlaybackEvent]()) { $0.append($1) }
    await someoneSleeps(until: onset)
    clock.advance(to: onset)
    await someoneSleeps(until: onset.advanced(by: .seconds(1)))
    clock.advance(by: .milliseconds(500))
    await playback.stop(fade: .milliseconds(100))
    let end = onset.advanced(by: .milliseconds(600))
    await someoneSleeps(until: end)
    clock.advance(to: end)
    #expect(await events == [.started(exactly(onset)), .ended(exactly(end), frames: 26_460)])
  }

  @Test("A stop before the onset ends it without a start")
  func stopsBefore() async throws {
    let playback = try await speaker().play(tone, at: start.advanced(by: .seconds(1)))
    await playback.stop(fade: .seconds(1))
    #expect(await events(of: playback) == [.ended(exactly(start), frames: 0)])
  }

  @Test("A stop that would come after the end changes nothing, and a second stop only shortens")
  func stopsAgain() async throws {
    let playback = try await speaker().play(tone, at: start)
    await playback.stop(fade: .seconds(2))
    await playback.stop(fade: .milliseconds(500))
    await playback.stop(fade: .milliseconds(700))
    #expect(await events(of: playback).last == .ended(exactly(start.advanced(by: .milliseconds(500))), frames: 22_050))
  }

  @Test("One stimulus at a time: the next one may begin when the clock has passed the end")
  func oneAtATime() async throws {
    let speaker = try await speaker()
    _ = try await speaker.play(tone, at: start)
    await #expect(throws: SilentSpeaker.Refusal.busy) { try await speaker.play(tone, at: start) }
    clock.advance(by: .seconds(1))
    let second = try await speaker.play(tone, at: start)
    await second.stop(fade: .zero)
    _ = try await speaker.play(tone, at: start)
  }

  @Test("Faults happen when they are written to happen")
  func faults() async throws {
    let speaker = try await speaker([
      .disturbs(playback: 0, after: .milliseconds(200), .underrun(at: start)),
      .disturbs(playback: 0, after: .milliseconds(100), .moved(to: "other")),
      .disturbs(playback: 0, after: .seconds(3), .suspended),
      .fails(playback: 1, after: .milliseconds(300), reason: "the server has gone"),
      .disturbs(playback: 1, after: .milliseconds(400), .suspended),
      .refusesToPlay(playback: 2, reason: "no sink"),
    ])
    #expect(
      await events(of: try await speaker.play(tone, at: start)) == [
        .started(exactly(start)), .disturbed(.moved(to: "other")),
        .disturbed(.underrun(at: start.advanced(by: .milliseconds(200)))),
        .ended(exactly(start.advanced(by: .seconds(1))), frames: 44_100),
      ])
    let second = clock.now
    #expect(
      await events(of: try await speaker.play(tone, at: second)) == [
        .started(exactly(second)), .failed(reason: "the server has gone"),
      ])
    #expect(clock.now == second.advanced(by: .milliseconds(300)))
    await #expect(throws: SilentSpeaker.Refusal.fault("no sink")) { try await speaker.play(tone, at: start) }
    let refusing = SilentSpeaker(clock: clock, faults: [.refusesToPrepare(reason: "no server")])
    await #expect(throws: SilentSpeaker.Refusal.fault("no server")) { try await refusing.prepare(format) }
  }

  @Test("An unprepared format and a closed speaker are refused")
  func refusals() async throws {
    let speaker = try await speaker()
    let other = Stimulus(format: SoundFormat(sampleRate: 48_000, channels: 2), samples: [0, 0])
    await #expect(throws: SilentSpeaker.Refusal.notPrepared) { try await speaker.play(other, at: start) }
    let playback = try await speaker.play(tone, at: start)
    await speaker.close()
    #expect(await events(of: playback).last == .ended(exactly(start), frames: 0))
    await #expect(throws: SilentSpeaker.Refusal.closed) { try await speaker.play(tone, at: start) }
    await #expect(throws: SilentSpeaker.Refusal.closed) { try await speaker.prepare(format) }
  }

  @Test("A reader that is cancelled stops waiting")
  func cancelled() async throws {
    let playback = try await speaker().play(tone, at: start.advanced(by: .seconds(1)))
    let reader = Task { await playback.events.reduce(into: [PlaybackEvent]()) { $0.append($1) } }
    await someoneSleeps(until: start.advanced(by: .seconds(1)))
    reader.cancel()
    #expect(await reader.value == [])
    #expect(clock.sleeperCount == 0)
  }
}

import Sensors
import Sound
import Study
import Synchronization
import TestSupport
import Testing

@testable import Bundles
@testable import Quantities
@testable import Session

/// A device that takes codes by a clock that is turned by hand.
final class ScriptedCodes: CodeOutput {
  /// A code that was asked for.
  struct Request: Sendable {
    let code: UInt8
    let moment: Moment
    let report: @Sendable (MarkerDelivery) -> Void
    var isCancelled = false
  }

  let name = "serial:port"
  private let requests = Mutex<[Request]>([])
  private let delivery: @Sendable (Moment) -> MarkerDelivery

  init(_ delivery: @escaping @Sendable (Moment) -> MarkerDelivery) { self.delivery = delivery }

  var sent: [Request] { requests.withLock { $0 } }

  func send(_ code: UInt8, at moment: Moment, report: @escaping @Sendable (MarkerDelivery) -> Void) -> Int {
    let number = requests.withLock { requests in
      requests.append(Request(code: code, moment: moment, report: report))
      return requests.count - 1
    }
    report(delivery(moment))
    return number
  }

  func cancel(_ number: Int) { requests.withLock { $0[number].isCancelled = true } }

  func close() {}
}

/// A stream that remembers what was published.
final class ScriptedStream: MarkerStream {
  let name = "lsl"
  private let isHeard: @Sendable () -> Bool
  private let published = Mutex<[String]>([])

  /// A stream that a program receives as soon as `isReceived` says so.
  init(isReceived: @escaping @Sendable () -> Bool = { true }) { isHeard = isReceived }

  var isReceived: Bool { isHeard() }

  var texts: [String] { published.withLock { $0 } }

  func publish(_ text: String, at moment: Moment) -> String? {
    published.withLock { $0.append(text) }
    return nil
  }

  func close() {}
}

@Suite("Markers of a trial")
struct MarkerTests {
  private static let late = Duration.microseconds(70)

  private static func rehearsal(_ steps: [Step], _ change: (inout TrialMarking) throws -> Void) rethrows -> Rehearsal {
    var rehearsal = Rehearsal(steps)
    try change(&rehearsal.marking)
    return rehearsal
  }

  private static func markers(_ rehearsal: Rehearsal) -> [SentMarker] {
    rehearsal.journal.records.compactMap { if case .marked(let marker) = $0.event { marker } else { nil } }
  }

  @Test("The code of the condition is sent at the scheduled onset, and the result has both times")
  func code() async throws {
    let codes = ScriptedCodes {
      .sent(MeasuredMoment(moment: $0.advanced(by: Self.late), uncertainty: .microseconds(5)))
    }
    let rehearsal = Self.rehearsal([.music("music", seconds: 2)]) {
      $0.outputs.codes = [codes]
      $0.code = 11
    }
    #expect(try await rehearsal.run() == .completed)
    let scheduled = try #require(
      rehearsal.journal.records.lazy.compactMap {
        if case .soundScheduled(_, _, let time, _) = $0.event { time } else { nil }
      }.first)
    #expect(
      Self.markers(rehearsal) == [
        SentMarker(
          output: "serial:port", event: .onset, code: 11, step: "music", segment: 0, intended: scheduled,
          sent: MeasuredTime(time: scheduled + Self.late, uncertainty: .microseconds(5)))
      ])
    #expect(codes.sent.map(\.code) == [11])
  }

  @Test("A session waits for programs that receive its streams, and names those that none receives")
  func receivers() async throws {
    let clock = HandClock()
    let start = clock.now
    func unreceived(_ streams: [any MarkerStream], after patience: Duration) async throws -> [String] {
      var outputs = MarkerOutputs()
      outputs.streams = streams
      return try await outputs.unreceived(after: patience, on: clock)
    }
    #expect(try await unreceived([], after: .seconds(5)).isEmpty && clock.now == start)
    let late = ScriptedStream { clock.now >= start.advanced(by: .seconds(1)) }
    async let received = unreceived([late], after: .seconds(5))
    for _ in 0..<20 {
      while clock.sleeperCount == 0 { await Task.yield() }
      clock.advance(by: .milliseconds(50))
    }
    #expect(try await received.isEmpty)
    let never = [ScriptedStream(), ScriptedStream { false }]
    async let missing = unreceived(never, after: .seconds(1))
    for _ in 0..<20 {
      while clock.sleeperCount == 0 { await Task.yield() }
      clock.advance(by: .milliseconds(50))
    }
    #expect(try await missing == ["lsl"])
  }

  @Test("A code that cannot be sent is written down, and the trial goes on to its end")
  func failure() async throws {
    let codes = ScriptedCodes { _ in .failed(reason: "it was unplugged") }
    let rehearsal = Self.rehearsal([.music("music", seconds: 2), .ending("bye")]) {
      $0.outputs.codes = [codes]
      $0.code = 3
    }
    #expect(try await rehearsal.run() == .completed)
    let markers = Self.markers(rehearsal)
    #expect(markers.map(\.failure) == ["it was unplugged"] && markers[0].sent == nil)
  }

  @Test("A stimulus that the speaker refuses takes its code back")
  func refused() async throws {
    let codes = ScriptedCodes { .sent(MeasuredMoment(moment: $0, uncertainty: .zero)) }
    var rehearsal = Self.rehearsal([.music("music", seconds: 2)]) {
      $0.outputs.codes = [codes]
      $0.code = 3
    }
    rehearsal.faults = [.refusesToPlay(playback: 0, reason: "the sink is busy")]
    _ = try await rehearsal.run()
    #expect(codes.sent.map(\.isCancelled) == [true])
  }

  @Test("The silence in the place of a clip has an onset as well, and other steps have none")
  func silence() async throws {
    let codes = ScriptedCodes { .sent(MeasuredMoment(moment: $0, uncertainty: .zero)) }
    let rehearsal = Self.rehearsal([.rest("before", seconds: 1), .rest("music", seconds: 2)]) {
      $0.outputs.codes = [codes]
      ($0.code, $0.silentStep) = (4, "music")
    }
    #expect(try await rehearsal.run() == .completed)
    let markers = Self.markers(rehearsal)
    #expect(markers.map(\.step) == ["music"] && markers.map(\.code) == [4])
    #expect(markers[0].intended == rehearsal.time(of: "music begins"))
  }

  @Test("Trial, condition, steps, onset and offset are published with their measured times")
  func stream() async throws {
    let stream = ScriptedStream()
    let rehearsal = Self.rehearsal([.music("music", seconds: 2), .ending("bye")]) {
      $0.outputs.streams = [stream]
      ($0.number, $0.condition) = (3, "calm")
    }
    #expect(try await rehearsal.run() == .completed)
    let texts = ["trial/3", "condition/calm", "step/music", "onset/calm", "offset/calm", "step/bye", "trialEnd/3"]
    let markers = Self.markers(rehearsal)
    #expect(stream.texts == texts && markers.map(\.text) == texts.map { $0 as String? })
    #expect(markers.allSatisfy { $0.failure == nil && $0.sent != nil })
    let onset = try #require(rehearsal.time(of: "onset 0"))
    #expect(markers[3].sent?.time == onset && markers[3].intended == onset && markers[3].segment == 0)
  }

  @Test("A pulse on a channel has the measured onset of its clip, again after a pause")
  func pulse() async throws {
    var rehearsal = try Self.rehearsal([.music("music", seconds: 2)]) {
      $0.outputs.channel = ("audio:3", try MarkerChannel(3, of: 4, beside: Rehearsal.format))
    }
    rehearsal.pace = { .milliseconds(50) }
    rehearsal.idlePace = .milliseconds(50)
    let isPaused = Mutex(false)
    let isResumed = Mutex(false)
    let end = try await rehearsal.run { rehearsal, trial in
      if rehearsal.clock.elapsed >= .seconds(1), !isPaused.exchange(true) { trial.send(.togglePause) }
      if rehearsal.clock.elapsed >= .seconds(3), !isResumed.exchange(true) { trial.send(.togglePause) }
    }
    #expect(end == .completed)
    let onsets = rehearsal.journal.records.compactMap { record -> MeasuredTime? in
      if case .soundStarted(_, _, let onset) = record.event { onset } else { nil }
    }
    let markers = Self.markers(rehearsal)
    #expect(onsets.count == 2 && markers.map(\.sent) == onsets && markers.map(\.segment) == [0, 1])
    #expect(markers.allSatisfy { $0.output == "audio:3" && $0.code == nil && $0.intended == $0.sent?.time })
  }
}

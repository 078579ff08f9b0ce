import Bundles
import Quantities
import Study
import TestSupport
import Testing

@testable import Sensors
@testable import Session

@Suite("What is recorded beside the sensors' samples")
struct RatingTests {
  private static let rating = RecorderConfiguration(
    identifier: "valence", quantityType: .continuousRating, unit: .count)

  private static func rest(_ change: @escaping (inout ActiveStep) -> Void) -> Step {
    .rest(seconds: 3) {
      $0.continuesAlone()
      change(&$0)
    }
  }

  @Test("A rating is sampled ten times a second, from the middle, as the arrow keys move it", arguments: [false, true])
  func rating(isUnattended: Bool) async throws {
    var rehearsal = Rehearsal([Self.rest { $0.recorderConfigurations = [Self.rating] }])
    rehearsal.isUnattended = isUnattended
    rehearsal.sensor = RatingSensor()
    rehearsal.pace = { .milliseconds(100) }
    let end = try await rehearsal.run { rehearsal, trial in
      if rehearsal.clock.elapsed == .seconds(1) { trial.send(.pressed(.arrow(.right))) }
      if rehearsal.clock.elapsed == .seconds(2) { trial.send(.pressed(.arrow(.left))) }
    }
    #expect(end == .completed)
    let samples = rehearsal.journal.records.compactMap { record -> (Duration, Double)? in
      guard case .sample(let sample) = record.event else { return nil }
      return (record.time, sample.value)
    }
    guard !isUnattended else {
      #expect(samples.isEmpty)
      return
    }
    #expect(samples.map(\.0) == (0..<samples.count).map { .milliseconds($0 * 100) })
    #expect((29...31).contains(samples.count))
    #expect(samples.first?.1 == 50 && samples.last?.1 == 50)
    #expect(samples.contains { $0.1 == 52 } && samples.allSatisfy { [50, 52].contains($0.1) })
  }

  @Test("A rating stays on its line")
  func limits() {
    let sensor = RatingSensor()
    #expect(sensor.rate(.move(2)) == nil)
    #expect(sensor.rate(.begin) == 50)
    #expect(sensor.rate(.move(300)) == 100)
    #expect(sensor.rate(.move(-101)) == 0)
    #expect(sensor.rate(.end) == nil)
  }

  @Test(
    "A recorded key is written down with its time and is not a command; another one is",
    arguments: [
      (OperatorKey.letter("s"), "s"), (.letter(" "), "space"), (.arrow(.up), "up"), (.enter, "enter"),
    ])
  func keys(key: OperatorKey, name: String) {
    var step = Self.rest { $0.keys = [name] }
    step.isOptional = true
    var course = Course([step, .ending("end")])
    _ = course.begin()
    course.wait(.milliseconds(1500))
    #expect(course.press(key) == [.recordKey(step: 0, name, made: course.madeNow)])
    #expect(course.phase == .running(step: 0))
    #expect(course.press(.letter("x")) == [])
    var plain = Course([
      {
        var step = Self.rest { _ in }; step.isOptional = true; return step
      }(), .ending("end"),
    ])
    _ = plain.begin()
    #expect(plain.press(.letter("s")).contains(.leave(step: 0, .skipped)))
  }

  @Test("A recorder of the whole trial runs from its beginning to its end, through pauses", arguments: [true, false])
  func scope(isStopped: Bool) async throws {
    var recorder = RecorderConfiguration.heart
    recorder.scope = .trial
    var rehearsal = Rehearsal([.reading("hello"), .rest(seconds: 3) { $0.continuesAlone() }, .ending("bye")])
    rehearsal.recorders = [recorder]
    rehearsal.sensor = ScriptedSensor.beats(60, 1, 2, 3, 4)
    let end = try await rehearsal.run { rehearsal, trial in
      if isStopped, rehearsal.clock.elapsed >= .seconds(2) { trial.send(.stop) }
    }
    #expect(end == (isStopped ? .stopped : .completed))
    let story = rehearsal.story
    #expect(story.filter { $0.hasPrefix("heart ") } == ["heart on 0", "heart off 0"])
    #expect(rehearsal.time(of: "heart on 0") == .zero)
    let last = try #require(story.lastIndex { $0.hasPrefix("bye") || $0.hasPrefix("rest3") })
    #expect(try #require(story.firstIndex(of: "heart off 0")) > last)
  }
}

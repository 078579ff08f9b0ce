import Basics
import Quantities
import TestSupport
import Testing

@testable import Study

@Suite("Reading protocols")
struct StudyProtocolReaderTests {
  @Test("The tutorial's protocol is read whole")
  func tutorial() throws {
    var active = ActiveStep()
    active.stepDuration = .seconds(30)
    active.shouldStartTimerAutomatically = true
    active.shouldContinueOnFinish = true
    active.recorderConfigurations = [
      RecorderConfiguration(identifier: "heartRateConfig", quantityType: .heartRate, unit: .countPerMinute)
    ]
    let expected = StudyProtocol(
      identifier: "MusicTask", version: "1.0", title: "Music + Heart Rate", clips: ClipsSource(folder: "../Clips"),
      steps: [
        Step(
          identifier: "instruction", title: "Music + Heart Rate",
          text: "You will hear one clip, chosen at random, for 30 seconds while your heart rate is recorded.",
          kind: InstructionStep()),
        Step(identifier: "music", title: "Listen for 30 seconds", kind: MusicStep(active: active)),
        Step(identifier: "SummaryStep", title: "Thank you!", text: "Your recording is saved.", kind: CompletionStep()),
      ])
    #expect(try example("music-heart-rate") == expected)
  }

  @Test("Everything that a music step can say is read")
  func everything() throws {
    let read = try example("rest-music-rest")
    #expect(read.clips == ClipsSource(folder: "../Clips", embed: true))
    guard let music = read.steps[2].kind as? MusicStep else {
      Issue.record("the third step is not a music step")
      return
    }
    #expect(music.clip == .random(ClipPool(mood: "chill")))
    #expect(music.whenShorter == .loop)
    #expect(music.fadeIn == .milliseconds(500) && music.fadeOut == .milliseconds(2000))
    #expect(music.loudness == LoudnessTarget(integrated: -23, truePeakLimit: -1))
    #expect(
      music.activeStep.recorderConfigurations == [
        RecorderConfiguration(identifier: "musicHeartRate", quantityType: .heartRate, unit: .countPerMinute),
        RecorderConfiguration(
          identifier: "musicIntervals", quantityType: .rrInterval, unit: .millisecond, settle: .seconds(5)),
      ])
  }

  @Test("What an active step does not say has ResearchKit's default, and what it says is taken")
  func activeSteps() throws {
    func active(_ keys: String) throws -> ActiveStep {
      let text = #"{"kind": "rest", "identifier": "r"\#(keys)}"#
      return try #require(read(steps: text).steps.first?.active)
    }
    #expect(try active("") == ActiveStep())
    let names: [(String, WritableKeyPath<ActiveStep, Bool>)] = [
      ("shouldShowDefaultTimer", \.shouldShowDefaultTimer), ("shouldSpeakCountDown", \.shouldSpeakCountDown),
      ("shouldSpeakRemainingTimeAtHalfway", \.shouldSpeakRemainingTimeAtHalfway),
      ("shouldStartTimerAutomatically", \.shouldStartTimerAutomatically),
      ("shouldPlaySoundOnStart", \.shouldPlaySoundOnStart), ("shouldPlaySoundOnFinish", \.shouldPlaySoundOnFinish),
      ("shouldVibrateOnStart", \.shouldVibrateOnStart), ("shouldVibrateOnFinish", \.shouldVibrateOnFinish),
      ("shouldUseNextAsSkipButton", \.shouldUseNextAsSkipButton), ("shouldContinueOnFinish", \.shouldContinueOnFinish),
    ]
    for (name, property) in names {
      for value in [true, false] {
        var expected = ActiveStep()
        expected[keyPath: property] = value
        #expect(try active(#", "\#(name)": \#(value)"#) == expected)
      }
    }
    let spoken = try active(#", "spokenInstruction": "a", "finishedSpokenInstruction": "b", "stepDuration": 0.25"#)
    #expect(spoken.spokenInstruction == "a" && spoken.finishedSpokenInstruction == "b")
    #expect(spoken.stepDuration == .milliseconds(250))
  }

  @Test("Every number of milliseconds of a minute is read exactly")
  func milliseconds() throws {
    for milliseconds in stride(from: 0, through: 60_000, by: 37) {
      let (seconds, rest) = (milliseconds / 1000, "\(1000 + milliseconds % 1000)".dropFirst())
      let text = #"{"kind": "rest", "identifier": "r", "stepDuration": \#(seconds).\#(rest)}"#
      #expect(try read(steps: text).steps.first?.active?.stepDuration == .milliseconds(milliseconds))
    }
  }

  @Test("The limits of a file are reported")
  func limits() throws {
    let large = [UInt8](repeating: UInt8(ascii: " "), count: StudyProtocolReader.maxFile + 1)
    #expect(
      complaints(large) == [
        "p.json:1:1: the file has 4000001 bytes and a protocol has at most 4000000; is this the right file?"
      ])
    #expect(
      complaints([UInt8](repeating: UInt8(ascii: "["), count: 100_000)).first?.contains("nested more than 64 deep")
        == true)
    func steps(_ count: Int) -> String {
      (0..<count).map { #"{"kind": "rest", "identifier": "r\#($0)"}"# }.joined(separator: ",")
    }
    #expect(try read(steps: steps(10_000)).steps.count == 10_000)
    let tooMany = complaints(Array(text(steps: steps(10_001)).utf8))
    #expect(
      tooMany.count == 1
        && tooMany[0].hasSuffix("/steps: expected an array of steps, at most 10000 of them, found 10001")
    )
  }

  @Test("A file with twenty thousand faults tells a hundred of them, soon")
  func manyFaults() throws {
    let keys = (0..<20_000).map { #""key\#($0)": 1"# }.joined(separator: ",")
    let text = text(steps: #"{"kind": "rest", "identifier": "r", \#(keys)}"#)
    let problems = try #require(throws: ProtocolProblems.self) {
      try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json")
    }
    #expect(problems.problems.count == 100 && problems.omitted == 19_900)
    #expect(problems.description.hasSuffix("\n… and 19900 more"))
  }

  // MARK: Shorthands

  private func example(_ name: String) throws -> StudyProtocol {
    let bytes = try File.contents(of: "\(Repository.root)/protocols/\(name).json")
    return try StudyProtocolReader.read(bytes, fileName: "\(name).json").studyProtocol
  }

  private func text(steps: String) -> String {
    #"{"format": "station.protocol/1", "identifier": "P", "version": "1", "steps": [\#(steps)]}"#
  }

  private func read(steps: String) throws -> StudyProtocol {
    try StudyProtocolReader.read(Array(text(steps: steps).utf8), fileName: "p.json").studyProtocol
  }

  private func complaints(_ bytes: [UInt8]) -> [String] {
    do {
      _ = try StudyProtocolReader.read(bytes, fileName: "p.json")
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }
}

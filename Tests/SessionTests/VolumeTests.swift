import Basics
import Bundles
import Foundation
import Quantities
import Sound
import Synchronization
import TestSupport
import Testing

@testable import Laboratory
@testable import Session
@testable import Study

@Suite("A volume step")
struct VolumeTests {
  private static func step(_ volume: VolumeStep = VolumeStep(), isOptional: Bool = false) -> Step {
    Step(identifier: "volume", isOptional: isOptional, kind: volume)
  }

  private static func noise(_ number: Int) -> SoundID { SoundID(step: 0, .noise(number)) }

  @Test("Noise sounds at the start's gain, each key plays it at the next one, and Return chooses the last")
  func adjusted() {
    var course = Course([Self.step(VolumeStep(step: 2, lowest: -24, highest: 0, start: -20)), .ending("end")])
    #expect(
      course.begin() == [
        .enter(step: 0), .playTone(Self.noise(1), gain: -20),
      ])
    #expect(
      course.press(.arrow(.up)) == [
        .stopSound(Self.noise(1)), .playTone(Self.noise(2), gain: -18),
      ])
    _ = course.take(.soundEnded(Self.noise(1), frames: 100, played: .seconds(1)))
    for _ in 0..<5 { _ = course.press(.letter("-")) }
    #expect(course.press(.letter("-")) == [])
    let actions = course.next()
    #expect(actions.first == .note(step: 0, NotedValue(ChosenVolume(gain: -24)), at: course.now))
    #expect(actions.contains(.stopSound(Self.noise(5))) && actions.contains(.leave(step: 0, .finished)))
    #expect(course.phase == .shown(step: 1))
  }

  @Test("The maximum level bounds the noise of a calibrated speaker")
  func limited() {
    var machine = TrialMachine(
      steps: [Self.step(VolumeStep(step: 5, lowest: -20, highest: 20, start: 10))], isUnattended: false, highestNoise: 3
    )
    let now = Moment(nanoseconds: 0)
    #expect(machine.handle(.begin, at: now).contains(.playTone(Self.noise(1), gain: 3)))
    func turn(to gain: Double) -> [TrialAction] {
      let facts = AnswerInput(made: MeasuredMoment(moment: now, uncertainty: .zero))
      return machine.handle(.answered(ScreenAnswer(screen: 1, .gain(gain), facts)), at: now)
    }
    #expect(turn(to: 8) == [])
    #expect(turn(to: -2).contains(.playTone(Self.noise(2), gain: -2)))
  }

  @Test("Nobody chooses in a run without a participant, and a step that is skipped chooses nothing")
  func nobody() {
    var unattended = Course([Self.step()], isUnattended: true)
    #expect(unattended.begin() == [.enter(step: 0), .leave(step: 0, .finished), .settle])
    var skipped = Course([Self.step(isOptional: true)])
    _ = skipped.begin()
    #expect(skipped.take(.skip) == [.stopSound(Self.noise(1)), .leave(step: 0, .skipped), .settle])
    var stopped = Course([Self.step()])
    _ = stopped.begin()
    #expect(stopped.take(.stop).contains(.stopSound(Self.noise(1))))
  }

  @Test("However it is pushed, the step is left, and its noise ends", arguments: 0..<100)
  func any(seed: UInt64) {
    var choices = SplitMix64(seed: seed)
    var course = Course([Self.step(isOptional: seed % 2 == 0), .rest(seconds: 1), Self.step()])
    var asked: Set<SoundID> = []
    var stopped: Set<SoundID> = []
    func take(_ actions: [TrialAction]) {
      for action in actions {
        if case .playTone(let noise, _) = action { asked.insert(noise) }
        if case .stopSound(let sound) = action { stopped.insert(sound) }
      }
    }
    take(course.begin())
    let inputs: [(inout Course) -> [TrialAction]] = [
      { $0.press(.arrow(.up)) }, { $0.press(.letter("-")) }, { $0.take(.togglePause) }, { $0.take(.skip) },
      { $0.next() }, { $0.take(.timeUp(timer: 1)) }, { $0.take(.timeUp(timer: 2)) },
      { $0.take(.soundFailed(Self.noise(2), reason: "gone")) },
    ]
    for _ in 0..<50 { take(inputs[Int(choices.next() % UInt64(inputs.count))](&course)) }
    take(course.take(.stop))
    _ = course.take(.settled)
    #expect(course.phase == .closed)
    #expect(asked.subtracting(stopped).subtracting([Self.noise(2)]).isEmpty)
  }

  @Test("The chosen gain applies to the clips that follow in the trial, and the journal says at which level they play")
  func trial() async throws {
    var rehearsal = Rehearsal([Self.step(), .music("music", seconds: 1)], format: Rehearsal.toneFormat)
    rehearsal.isUnattended = false
    rehearsal.pace = { .milliseconds(50) }
    let chosen = Mutex<[Double]>([])
    rehearsal.session.response = { request in
      if case .volume(let gain) = request { chosen.withLock { $0.append(gain) } }
      return nil
    }
    let isPressed = Mutex(false)
    rehearsal.idlePace = .milliseconds(50)
    let end = try await rehearsal.run { rehearsal, trial in
      guard rehearsal.story.contains("volume noise tone"), !isPressed.exchange(true) else { return }
      trial.send(.pressed(.letter("+")))
      trial.send(.pressed(.enter))
    }
    #expect(end == .completed && chosen.withLock { $0 } == [-18])
    let levels = rehearsal.journal.records.compactMap { record in
      if case .soundLevelled(_, let level) = record.event { level } else { nil }
    }
    #expect(levels.map(\.volume) == [-18] && levels.map(\.chosen) == [-18])
  }

  // MARK: Calibrations

  @Test("A calibration is written beside what stands in the file, and replaces another one only when asked to")
  func written() throws {
    let scratch = try ScratchFolder()
    let path = scratch["deep/station/station.json"]
    let date = try #require(CalendarDate("2026-03-31"))
    let first = StationSettings.Calibration(level: 68.5, date: date)
    try StationSettings.write(first, of: "speakers", to: path, replacing: false)
    var text = String(decoding: try File.contents(of: path), as: UTF8.self)
    text = text.replacing("{\n", with: "{\n  \"x-note\": [1, 2.5, \"ü\"], \"language\": \"de\",\n", maxReplacements: 1)
    try File.replaceWhole(path, Array(text.utf8))
    let other = StationSettings.Calibration(level: 71, date: date)
    try StationSettings.write(other, of: "headphones", to: path, replacing: false)
    #expect(throws: StationSettings.CalibrationRefusal.exists(first)) {
      try StationSettings.write(other, of: "speakers", to: path, replacing: false)
    }
    let bytes = try File.contents(of: path)
    #expect(try JSONReader.read(bytes).value["x-note"] == [1, 2.5, "ü"])
    let settings = try StationSettings(bytes, fileName: "station.json")
    #expect(settings.language == .german && settings.calibrations == ["speakers": first, "headphones": other])
    try StationSettings.write(other, of: "speakers", to: path, replacing: true)
    let replaced = try StationSettings(File.contents(of: path), fileName: "station.json")
    #expect(replaced.calibrations["speakers"] == other)
  }

  @Test(
    "A calibration that is not one is refused with its place",
    arguments: [
      #"{ "speakers": 3 }"#, #"{ "speakers": { "level_dBSPL": 68.5 } }"#,
      #"{ "speakers": { "level_dBSPL": 500, "date": "2026-03-31" } }"#,
      #"{ "speakers": { "level_dBSPL": 60, "date": "2026-02-31" } }"#,
      #"{ "speakers": { "level_dBSPL": 60, "date": "2026-02-01", "who": "me" } }"#,
    ])
  func refused(calibrations: String) {
    let text = #"{ "format": "station.settings/1", "calibrations": \#(calibrations) }"#
    let problems = #expect(throws: ProtocolProblems.self) { try StationSettings(Array(text.utf8), fileName: "s.json") }
    #expect(problems?.problems.allSatisfy { $0.path.description.hasPrefix("/calibrations/speakers") } == true)
  }
}

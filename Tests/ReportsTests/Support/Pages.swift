import Analysis
import Basics
import Bundles
import Charts
import Foundation
import Quantities
import Recordings
import Sound
import TestSupport

@testable import Reports
@testable import Study

/// Reports of stories, and the pages that they become.
enum Pages {
  static let local = (try? Basics.TimeZone("Europe/Amsterdam")) ?? .utc

  /// The stories by name, with every kind of trial that a station can leave.
  static let stories: [String: Story] = [
    "good": Story(extra: [40], missed: [70]),
    "suspect": Story(lateness: .milliseconds(7.5), disturbances: [.underrun(at: nil)]),
    "bad": Story(disturbances: [.muted]),
    "rates only": Story(hasIntervals: false),
    "no samples": Story(isBeating: false),
    "no clip": Story(clip: nil),
    "never sounded": Story(hasSound: false),
    "stopped": Story(outcome: .stopped),
    "two sensors": Story(sensors: ["strap", "ring"]),
    "only the clip": Story(rest: 0),
    "very short": Story(rest: 0, music: 1),
    "gaps": Story(silence: 75...88),
    "paused": Story(pause: 10...25),
    "no offset": Story(hasOffset: false),
    "many artefacts": Story(extra: [5, 10, 14, 20, 70, 75, 80, 85, 90, 95, 130], missed: [30, 66, 99, 140]),
    "long words": Story(
      participant: String(repeating: "participant_", count: 30),
      clip: ClipAnnotation(title: String(repeating: "🎵", count: 80), mood: "chill", tempo: nil, licence: "CC0-1.0"),
      clipName: String(repeating: "clip", count: 60), protocolTitle: String(repeating: "Protocol", count: 40)),
    "right to left": Story(
      participant: "משתתף-7", session: "الأولى",
      clip: ClipAnnotation(
        title: "שלום \u{202e}evil", mood: "هادئ", tempo: nil, licence: "CC0-1.0"), protocolTitle: "מוזיקה ומנוחה"),
    "hostile": Story(
      participant: "p<b>1</b>", session: "\"><script>alert(2)</script>",
      clip: ClipAnnotation(
        title: "<script>alert(1)</script>", mood: "a & b\u{202e}", tempo: nil, licence: "'onload=x"),
      clipName: "</title></style><img src=x onerror=alert(3)>",
      protocolTitle: "<h1 onclick=x>&amp;</h1> مرحبا 音楽 🎵❤️ \\u0000\\u001b[31m"),
  ]

  static let names = stories.keys.sorted()

  /// The report of a story's bundle.
  static func trial(_ story: Story, _ settings: ReportSettings = ReportSettings()) async throws -> Report {
    let scratch = try ScratchFolder()
    return Report(try await read(story, in: scratch.path), settings, local: local, station: "0.1.0")
  }

  /// What a story's bundle holds.
  static func read(_ story: Story, in folder: String) async throws -> ReportedTrial {
    ReportedTrial.read(try Bundles.Bundle(try await story.finish(in: folder)))
  }

  /// The report of several participants' trials, in a results folder that also holds what is no bundle.
  static func results(
    in folder: String, _ selection: TrialSelection = TrialSelection(), broken: Bool = false
  ) async throws -> Report {
    for (place, participant) in ["p01", "p02", "p03"].enumerated() {
      for (number, (clip, mood, effect)) in [
        ("chill_preview_4", "chill", -2.0), ("light_preview_2", "light", 4), ("chill_preview_3", "chill", -1),
      ].enumerated() {
        var story = Story(number: 1 + 3 * place + number, participant: participant, session: number < 2 ? "1" : "2")
        (story.rest, story.music, story.clipName, story.effect) = (20, 30, clip, effect)
        story.clip?.mood = mood
        if place == 1, number == 1 { story.disturbances = [.underrun(at: nil)] }
        if place == 2, number == 2 { story.disturbances = [.muted] }
        _ = try await story.finish(in: folder)
      }
    }
    if broken {
      try FileManager.default.createDirectory(atPath: "\(folder)/bundles/empty", withIntermediateDirectories: true)
    }
    return Report(try Overview.read(ResultsFolder(folder), selection), local: local, station: "0.1.0")
  }

  /// The report of a session of a design: its own steps, practice, a trial that was performed again, one of silence, and one
  /// that was not performed.
  static func designed(in folder: String) async throws -> Report {
    let run = "019aa230-0000-7000-8000-000000000001"
    func story(_ number: Int, trial: Int?, _ condition: String, position: Int, isPractice: Bool = false) -> Story {
      var story = Story(number: number, rest: 20, music: 30)
      story.place = SessionPlace(run: run, trial: trial, trials: 4, boot: nil, zero: .seconds(number * 600))
      if trial != nil {
        story.design = TrialPlacement(
          step: "pieces", condition: condition, block: 1, position: position, isPractice: isPractice)
      }
      return story
    }
    var around = story(1, trial: nil, "", position: 0)
    (around.music, around.clip, around.remarks) = (0, nil, ["slept well"])
    var stories = [
      story(2, trial: 1, "calm", position: 1, isPractice: true), story(3, trial: 2, "calm", position: 1),
      story(4, trial: 2, "calm", position: 1), story(5, trial: 3, "silence", position: 2),
    ]
    (stories[1].outcome, stories[3].clip, stories[3].hasSound) = (.stopped, nil, false)
    for index in stories.indices { stories[index].rating = index + 2 }
    let design = TrialDesign(conditions: [StudyCondition(name: "any", sound: .silence)], repetitions: 4)
    let study = StudyProtocol(
      identifier: "RestMusicRest", version: "1.0",
      steps: [Step(identifier: "pieces", kind: TrialsStep(design: design, steps: []))])
    var plan = try Plan.make(for: study, clips: [], seed: 7, place: PlanPlace(index: 3, group: "light"))
    let unperformed = TrialPlacement(step: "pieces", condition: "dark", block: 1, position: 3)
    let placements = [stories[0].design, stories[2].design, stories[3].design, unperformed]
    for index in placements.indices { plan.trials[index].placement = placements[index] }
    var record = SessionRecord(
      session: run, studyProtocol: ProtocolReference(identifier: "RestMusicRest", version: "1.0", sha256: ""),
      participant: "p01", startDate: WallTime(milliseconds: 1_763_637_511_250), plan: plan,
      basis: SessionBasis(study, clips: [], assignment: nil))
    for story in [around] + stories {
      let bundle = Folder.name(of: try await story.finish(in: folder))
      record.add(
        .init(bundle: bundle, number: story.place?.trial, outcome: story.outcome, verdict: .good))
    }
    record.state = .interrupted
    try ResultsFolder(folder).write(record)
    let subject = try ReportSubject("\(folder)/sessions/\(run).json", TrialSelection())
    guard case .results(let results, let selection) = subject else { throw MissingProgram(name: run) }
    return Report(try Overview.read(results, selection), local: local, station: "0.1.0")
  }

  /// Puts a report into the folder that `STATION_PICTURES` names, to be looked at.
  static func keep(_ report: Report, as name: String) async throws {
    guard let folder = ProcessInfo.processInfo.environment["STATION_PICTURES"] else { return }
    try Data(report.html().utf8).write(to: URL(filePath: "\(folder)/\(name).html"))
    try await Data(RenderingProgram.print(report.html())).write(to: URL(filePath: "\(folder)/\(name).pdf"))
  }
}

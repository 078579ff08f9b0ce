import Basics
import Study
import TestSupport
import Testing

@testable import Bundles
@testable import Quantities

@Suite("What a result says of a trial")
struct ResultTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func recover(_ story: TrialStory) throws -> Bundle {
    let results = ResultsFolder(scratch["results"])
    try story.leave(in: results, journal: story.journal)
    _ = try results.recover()
    return try Bundle(results.bundlePath(of: try #require(TrialIdentifier(story.opening.trial))))
  }

  @Test("The verdict and the warnings follow from what happened", arguments: StoryVariant.all)
  func verdict(variant: StoryVariant) throws {
    let bundle = try recover(variant.story)
    #expect(bundle.record.verdict == variant.verdict)
    #expect(bundle.record.reasons == variant.reasons)
    #expect(bundle.record.informativeCaveats == variant.informativeCaveats)
    #expect(bundle.verify() == [])
  }

  @Test(
    "A trial is suspect when the sensor lacked contact for more than a tenth of a recording, or for ten seconds at once",
    arguments: [
      (30, [5..<8], nil, 1), (30, [5..<9], 4, 1), (30, [5..<8, 12..<15], 6, 2), (30, [0..<60], 30, 1),
      (120, [20..<30], nil, 1), (120, [20..<31], 11, 1), (30, [5..<7, 10..<12, 15..<17], nil, 0),
    ] as [(Int, [Range<Int>], Int?, Int)])
  func contact(length: Int, off: [Range<Int>], lost: Int?, gaps: Int) throws {
    let bundle = try recover(.good().recording(for: length, withoutContact: off))
    let record = bundle.record
    func isEmpty(_ caveat: Caveat) -> Bool { if case .noSamples = caveat { true } else { false } }
    let told = lost.map {
      [Caveat.noContact(sensor: "simulated", step: "music", lost: .seconds($0), recorded: .seconds(length))]
    }
    #expect(record.reasons.filter { !isEmpty($0) } == told ?? [])
    #expect(record.verdict == (lost == nil ? .good : record.reasons.contains(where: isEmpty) ? .bad : .suspect))
    for recording in record.recordings {
      #expect(recording.gaps.count == gaps && recording.gaps.allSatisfy { $0.cause == .noContact })
    }
    #expect(bundle.verify() == [])
  }

  @Test("A trial is suspect when the sensor saw no pulse for more than a tenth of a recording")
  func pulse() throws {
    let record = try recover(.good().recording(for: 30, withoutContact: [5..<9], because: .movement)).record
    #expect(
      record.reasons == [
        .noPulse(sensor: "simulated", step: "music", lost: .seconds(4), recorded: .seconds(30))
      ])
    #expect(record.recordings.allSatisfy { $0.gaps.map(\.cause) == [.noPulse] })
  }

  @Test("A signal of low quality makes a trial suspect", arguments: [(0.9, false), (0.8, true)])
  func quality(quality: Double, isLow: Bool) throws {
    let bundle = try recover(.good().recording(for: 30, withoutContact: [], quality: quality))
    let caveat = Caveat.lowQuality(sensor: "simulated", step: "music", low: .seconds(30), recorded: .seconds(30))
    #expect(bundle.record.reasons == (isLow ? [caveat] : []))
    #expect(bundle.verify() == [])
  }

  @Test(
    "A trial is graded by the share of each recording that samples cover, which stands in the result",
    arguments: [
      // Of 20 s from the first second on.
      (Array(0...22), Verdict.good, 1.0), ([3, 8, 13, 18], .good, 1.0), ([2, 3, 4, 5, 6, 7, 8], .suspect, 0.65),
      ([1, 2, 3, 10, 11, 12, 13, 14, 15], .suspect, 0.9), ([5, 16], .bad, 0.5), ([8], .bad, 0.25),
    ] as [([Int], Verdict, Double)])
  func coverage(seconds: [Int], verdict: Verdict, share: Double) throws {
    var story = TrialStory.good().recording(for: 20, withoutContact: [])
    story.remove { if case .reading = $0 { true } else { false } }
    for second in seconds { story.insert(second * 1000, .reading(TrialStory.reading(60, [1000], at: second * 1000))) }
    story.opening.recorders.removeLast()
    story.opening.thresholds.suspectCoverage = 0.6
    story.events[0].event = .trialOpened(story.opening)
    let bundle = try recover(story)
    #expect(bundle.record.verdict == verdict, "\(bundle.record.reasons)")
    #expect(bundle.record.recordings.first?.coverage == share)
    #expect(bundle.verify() == [])
  }

  @Test(
    "Samples that no person can have are counted once for each recorder, and graded by their share",
    arguments: [
      (0, nil, Verdict.good), (1, nil, .good), (2, nil, .suspect), (10, nil, .suspect), (11, nil, .bad),
      (2, 0.1...0.2, .good), (4, 0.1...0.2, .suspect), (5, 0.1...0.2, .bad),
    ] as [(Int, ClosedRange<Double>?, Verdict)])
  func implausible(count: Int, shares: ClosedRange<Double>?, verdict: Verdict) throws {
    var story = TrialStory.good().recording(for: 20, withoutContact: [])
    if let shares {
      story.opening.thresholds.goodImplausible = shares.lowerBound
      story.opening.thresholds.suspectImplausible = shares.upperBound
    }
    story.remove { if case .reading = $0 { true } else { false } }
    for second in 0...22 {
      let reading = TrialStory.reading((3..<3 + count).contains(second) ? 5000 : 60, [1000], at: second * 1000)
      story.insert(second * 1000, .reading(reading))
    }
    story.opening.recorders.removeLast()
    story.events[0].event = .trialOpened(story.opening)
    let bundle = try recover(story)
    #expect(bundle.record.verdict == verdict, "\(bundle.record.caveats)")
    let recorder = try #require(story.opening.recorders.first).identifier
    let expected = Caveat.implausible(
      recorder: recorder, count: count, samples: 20, from: 15, to: 350, unit: "count/min")
    #expect(bundle.record.caveats.map(\.caveat) == (count > 0 ? [expected] : []))
    #expect(bundle.verify() == [])
  }

  @Test("A result that follows other rules still verifies; one with other facts, or of today's rules, does not")
  func otherRules() throws {
    func verify(_ changes: [(String, String)]) throws -> [String] {
      let bundle = try recover(TrialStory.good())
      let file = "\(bundle.path)/data/result.json"
      var text = String(decoding: try File.contents(of: file), as: UTF8.self)
      for (old, new) in changes {
        #expect(text.contains(old))
        text = text.replacing(old, with: new)
      }
      try Folder.removeFile(file)
      try File.create(file, Array(text.utf8))
      let problems = Bundle.verify(bundle.path).filter { $0.contains("does not match the journal") }
      try Folder.removeTree(scratch["results"])
      return problems
    }
    #expect(
      try verify([
        ("\"rules\": \(Judgement.rules)", "\"rules\": 2"), ("\"verdict\": \"good\"", "\"verdict\": \"suspect\""),
      ]) == [])
    #expect(try verify([("\"verdict\": \"good\"", "\"verdict\": \"suspect\"")]).count == 1)
    #expect(try verify([("\"rules\": \(Judgement.rules)", "\"rules\": 2"), ("P01", "P02")]).count == 1)
  }

  @Test("Every result and its heart data fit the published schemas")
  func schemas() throws {
    var files: [String] = []
    for (index, variant) in StoryVariant.all.enumerated() {
      let results = ResultsFolder(scratch["results-\(index)"])
      let story = variant.story
      try story.leave(in: results, journal: story.journal)
      _ = try results.recover()
      files.append(results.bundlePath(of: try #require(TrialIdentifier(story.opening.trial))))
    }
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator as Validator
      root, folders = sys.argv[1], sys.argv[2:]
      for name in ["result", "heart"]:
          schema = json.load(open(f"{root}/protocols/{name}.schema.json"))
          Validator.check_schema(schema)
          for folder in folders:
              value = json.load(open(f"{folder}/data/{name}.json"))
              for error in Validator(schema).iter_errors(value):
                  sys.exit(f"{folder}/data/{name}.json: {error.json_path}: {error.message}")
              if name == "result":
                  del value["clip"]
                  assert not Validator(schema).is_valid(value), "the schema takes a result without its clip"
      """
    let check = try Program.run(Repository.python, ["-c", script, Repository.root] + files)
    #expect(check.status == 0, "\(check.error)")
  }

  @Test("Time zone, sensor location and motion context are reported where they are known, and are null otherwise")
  func context() throws {
    var story = TrialStory.good()
    let plain = try recover(story).result
    #expect(plain["station"]?["timeZone"] == .null)
    #expect(plain["recordings"]?.array?.first?["sensor"]?["location"] == .null)
    #expect(plain["recordings"]?.array?.first?["motionContext"] == .null)
    try Folder.removeTree(scratch["results"])
    story.opening = TrialStory.opening(inZone: "Europe/Amsterdam", on: .chest, .sedentary)
    story.events[0].event = .trialOpened(story.opening)
    let known = try recover(story)
    #expect(known.result["station"]?["timeZone"]?.string == "Europe/Amsterdam")
    let recordings = known.result["recordings"]?.array ?? []
    #expect(recordings.map { $0["sensor"]?["location"]?.string } == ["chest", "chest"])
    #expect(recordings.map { $0["motionContext"]?.string } == ["sedentary", "sedentary"])
    let samples = try known.readSamples().samples
    #expect(!samples.isEmpty && samples.allSatisfy { $0.metadata.sensorLocation == .chest })
  }

  @Test("A protocol without music has a result without clip, playback or tie")
  func noMusic() throws {
    let variant = try #require(StoryVariant.all.last)
    let result = try recover(variant.story).result
    #expect(result["clip"] == .null)
    #expect(result["playback"] == .null)
    #expect(result["recordings"]?.array?.map { $0["clip"] } == [.null, .null])
  }

  @Test("The tie to the clip goes by the step, not by the place in the list")
  func tie() throws {
    var story = TrialStory.good()
    story.opening.recorders.insert(
      TrialRecorder(
        step: "rest",
        configuration: RecorderConfiguration(identifier: "base", quantityType: .heartRate, unit: .countPerSecond),
        sensor: SensorSource(name: "simulated")),
      at: 0)
    story.events[0].event = .trialOpened(story.opening)
    let recordings = try recover(story).result["recordings"]?.array
    #expect(recordings?.map { $0["identifier"]?.string } == ["base", "heartRateConfig", "rrConfig"])
    #expect(
      recordings?.map { $0["clip"]?["name"]?.string } == [nil, "chill_preview_4", "chill_preview_4"])
  }

  @Test(
    "The loudness that was asked for, the one that was reached and the gain stand in the result",
    arguments: [true, false])
  func loudness(isAskedFor: Bool) throws {
    var story = TrialStory.good()
    story.chosen.target = isAskedFor ? LoudnessTarget(integrated: -20.75, truePeakLimit: -1) : nil
    if !isAskedFor { story.chosen.loudness = nil }
    let chosen = story.chosen
    story.replace { if case .clipChosen = $0 { .clipChosen(chosen) } else { nil } }
    let bundle = try recover(story)
    let clip = try #require(bundle.result["clip"])
    #expect(clip["gain_dB"]?.number == -2.5)
    #expect(clip["target"]?["integrated_LUFS"]?.number == (isAskedFor ? -20.75 : nil))
    #expect(clip["target"]?["truePeakLimit_dBTP"]?.number == (isAskedFor ? -1 : nil))
    #expect(bundle.record.clip?.reachedLoudness == (isAskedFor ? -20.75 : nil))
    #expect(bundle.record.caveats == [])
  }

  @Test("A clip that the protocol names has no draw")
  func named() throws {
    var story = TrialStory.good()
    story.chosen.draw = nil
    let chosen = story.chosen
    story.replace { if case .clipChosen = $0 { .clipChosen(chosen) } else { nil } }
    let bundle = try recover(story)
    #expect(bundle.result["clip"]?["draw"] == .null)
  }

  @Test("A recording without samples is an empty list, and its summary null")
  func empty() throws {
    var story = TrialStory.good()
    story.remove { if case .reading = $0 { true } else { false } }
    let bundle = try recover(story)
    #expect(try bundle.heart() == Array("{\"items\":[]}\n".utf8))
    #expect(bundle.result["recordings"]?.array?.map { $0["summary"] } == [.null, .null])
    #expect(bundle.record.samples == 0)
  }

  @Test("The sender's own time stands in every item of a reading that has one")
  func senderTime() throws {
    var story = TrialStory.good()
    var reading = TrialStory.reading(64, [940], at: 2400)
    reading.senderTime = 1_700_000_000.25
    story.insert(2400, .reading(reading))
    let items = try JSONReader.read(recover(story).heart()).value["items"]?.array ?? []
    let said = items.filter { $0["t_ns"]?.integer == 2_400_000_000 }
    #expect(said.map { $0["sender_s"]?.number } == [1_700_000_000.25, 1_700_000_000.25])
    #expect(items.count { $0["sender_s"] != nil } == 2)
  }

  @Test("Times that a suspension divides are two segments of one recording and of one playback")
  func suspension() throws {
    var story = TrialStory.good()
    story.replaceEnd(frames: 60_000)
    story.insert(4800, .suspended)
    story.insert(5100, .resumed)
    story.insert(5150, .soundScheduled(step: "music", segment: 1, at: .milliseconds(5200), frames: 72_300))
    story.insert(5200, .recorderStarted(recorder: "heartRateConfig", step: "music", segment: 1))
    story.insert(
      5201,
      .soundStarted(
        step: "music", segment: 1, onset: MeasuredTime(time: .milliseconds(5200), uncertainty: .microseconds(40))))
    story.insert(5300, .reading(TrialStory.reading(70, [], at: 5300)))
    story.insert(
      5900,
      .soundEnded(
        step: "music", segment: 1, offset: MeasuredTime(time: .milliseconds(5900), uncertainty: .microseconds(40)),
        frames: 72_300))
    story.insert(5900, .recorderStopped(recorder: "heartRateConfig", step: "music", segment: 1))
    let result = try recover(story).result
    let playback = result["playback"]
    #expect(playback?["segments"]?.array?.count == 2)
    #expect(playback?["framesPlayed"]?.integer == 132_300)
    #expect(playback?["onset"]?["t_ns"]?.integer == 1_000_020_000)
    #expect(playback?["offset"]?["t_ns"]?.integer == 5_900_000_000)
    let recording = result["recordings"]?.array?.first
    #expect(recording?["segments"]?.array?.count == 2)
    #expect(recording?["samples"]?.integer == 5)
    #expect(recording?["summary"]?["last"]?.number == 70)
    #expect(result["caveats"] == [["caveat": "paused", "times": 1, "verdict": "suspect"]])
  }

  @Test("A stimulus that was suspended before it sounded began with the segment that sounded")
  func suspendedBeforeOnset() throws {
    var story = TrialStory.good()
    story.insert(930, .soundScheduled(step: "music", segment: 7, at: .milliseconds(940), frames: 132_300))
    story.insert(
      945,
      .soundEnded(
        step: "music", segment: 7, offset: MeasuredTime(time: .milliseconds(940), uncertainty: .zero), frames: 0))
    let playback = try recover(story).result["playback"]
    #expect(playback?["scheduled_ns"]?.integer == 1_000_000_000)
    #expect(playback?["onset"] == ["t_ns": 1_000_020_000, "uncertainty_ns": 40_000])
    #expect(playback?["offset"]?["t_ns"]?.integer == 4_000_020_000)
  }

  @Test("Every step stands in the result with how it was left, or with nulls where the program died")
  func steps() throws {
    var story = TrialStory.good()
    story.skip("music")
    story.events.removeLast(2)
    let result = try recover(story).result
    #expect(
      result["steps"] == [
        [
          "identifier": "instruction", "shown_ns": 2_000_000, "begun_ns": nil, "finished_ns": nil,
          "left_ns": 900_000_000, "end": "finished",
        ],
        [
          "identifier": "music", "shown_ns": 905_000_000, "begun_ns": 1_000_000_000, "finished_ns": 4_000_000_000,
          "left_ns": 5_000_000_000, "end": "skipped",
        ],
        [
          "identifier": "SummaryStep", "shown_ns": 5_001_000_000, "begun_ns": nil, "finished_ns": nil,
          "left_ns": nil, "end": nil,
        ],
      ])
    #expect(result["end"] == .null)
    #expect(result["drift_ns"] == .null)
  }

  @Test("The calendar at the end is compared with the moment of its own reading, and no end lies before a step's")
  func clock() throws {
    var story = TrialStory.good()
    story.events[story.events.count - 1].time = .microseconds(5_999_400)
    let result = try recover(story).result
    #expect(
      result["zero"] == [
        "wall": "2025-11-20T11:08:31.250Z", "t_ns": 0, "uncertainty_ns": 210, "synchronized": true,
      ])
    #expect(
      result["end"] == [
        "wall": "2025-11-20T11:08:37.252Z", "t_ns": 6_000_500_000, "uncertainty_ns": 300, "synchronized": false,
      ])
    #expect(result["drift_ns"] == 1_500_000)
    #expect(result["endDate"] == "2025-11-20T11:08:37.250Z")
  }
}

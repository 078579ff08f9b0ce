import Basics
import Recordings
import TestSupport
import Testing

@testable import Analysis

@Suite("What a trial is locked to")
struct TrialEventTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func recording(_ change: (inout MadeTrial) -> Void = { _ in }) throws -> Recording {
    var trial = MadeTrial()
    change(&trial)
    let path = scratch["trial-\(UInt32.random(in: 0 ... .max))"]
    try trial.write(to: path)
    return try #require(Recording.read(path: path).first)
  }

  @Test(
    "An event is read as it is written",
    arguments: [
      ("stimulus", EventSource.stimulus), ("step:silence", .step("silence")), ("20", .seconds(20, nil)),
      ("20:50.5", .seconds(20, 50.5)), ("-3", .seconds(-3, nil)),
    ])
  func words(text: String, source: EventSource) throws {
    #expect(try #require(EventSource(text)) == source)
    #expect("\(source)" == text)
  }

  @Test(
    "What is not an event is none",
    arguments: ["", "stimulos", "step:", "whole", "5:3", "nan", "inf", "1:2:3", "1e308", "-1e308:0", "0:2e9"])
  func noWords(text: String) { #expect(EventSource(text) == nil) }

  @Test(
    "The first event that the trial has is taken",
    arguments: [
      ([EventSource.stimulus, .step("music")], true, "stimulus", 19.99, 40.01),
      ([.stimulus, .step("music")], false, "step:music", 19, 41), ([.step("music")], true, "step:music", 19, 41),
      ([.step("silence"), .stimulus], true, "stimulus", 19.99, 40.01), ([.seconds(5, nil)], true, "5", 5, nil),
    ])
  func first(sources: [EventSource], isHeard: Bool, name: String, onset: Double, offset: Double?) throws {
    let recording = try recording { if !isHeard { $0.sound = nil } }.locked(to: sources)
    let event = try #require(recording.event)
    #expect("\(event.source)" == name && event.onset == onset && event.offset == offset)
    #expect(recording.trial?.event(sources) == event)
  }

  @Test("A step without a sound has windows, phases and a response")
  func silence() throws {
    let recording = try recording { $0.sound = nil }
    #expect(recording.event == nil)
    let locked = AnalysedRecording(recording.locked(to: [.stimulus, .step("music")]))
    let measured = locked.measured(in: .automatic, [.meanHeartRate])
    #expect(measured.placed.window == .stimulus && measured.placed.bounds == 19...41 && measured.caveats.isEmpty)
    #expect(measured.placed.title == "the step “music”")
    #expect(locked.measured(in: .preStimulus).placed.title == "what was recorded before the step “music”")
    let rest = try #require(locked.measured(in: .preStimulus).placed.bounds)
    #expect(rest.lowerBound.magnitude < 1e-9 && rest.upperBound == 19)
    let phases = AnalysedRecording(locked.recording, AnalysisSettings(measures: [.timeWeightedHeartRate])).phases
    #expect((try #require(phases.first?.reactivity)) > 10)
    let response = try #require(locked.response(ResponseSettings()))
    #expect(response.onset == 19 && response.reason == nil)
    #expect((try #require(response.bins[20].response) - 15).magnitude < 1e-6)
  }

  @Test("A step that waits for Return is measured, and locked to, from when its active part began until it finished")
  func waits() throws {
    let recording = try recording {
      $0.sound = nil
      $0.steps = [
        [
          "identifier": "rest", "shown_ns": 0, "begun_ns": 5_000_000_000, "finished_ns": 15_000_000_000,
          "left_ns": 19_000_000_000,
        ],
        ["identifier": "read", "shown_ns": 20_000_000_000, "begun_ns": nil, "finished_ns": nil, "left_ns": 41e9],
      ]
    }
    #expect(recording.place(.step("rest")).bounds == 5...15 && recording.place(.step("rest")).missing == nil)
    // A step without an active part has two times.
    #expect(recording.place(.step("read")).bounds == 20...41 && recording.place(.step("read")).missing == nil)
    let locked = recording.locked(to: [.step("rest")])
    #expect(locked.event?.onset == 5 && locked.event?.offset == 15 && locked.caveats == recording.caveats)
  }

  @Test("An event that a trial does not have is reported, with the steps that it has")
  func missing() throws {
    let recording = try recording { $0.sound = nil }.locked(to: [.stimulus, .step("silence")])
    let reason = MissingNumber.noEvent(events: ["stimulus", "step:silence"], steps: ["rest", "music"])
    #expect("\(reason)" == "The trial has no event stimulus, step:silence; its steps are “rest”, “music”.")
    for window in [AnalysisWindow.stimulus, .preStimulus, .postStimulus] {
      #expect(recording.place(window).bounds == nil && recording.place(window).missing == reason)
    }
    #expect(recording.place(.automatic).caveat == .wholeRecording(because: reason))
    let file = Recording(path: "beats.txt", beats: IntervalSeries([800, 800]))
    #expect(file.place(.automatic).caveat == nil)
    #expect(file.place(.stimulus).missing == .noTrial)
    #expect(
      file.locked(to: [.seconds(1, nil)]).place(.stimulus).missing?.description == "The end of the event is not known.")
  }

  @Test("The pause is reported wherever the stimulus is measured", arguments: [AnalysisWindow.automatic, .stimulus])
  func pause(window: AnalysisWindow) throws {
    var recording = try recording()
    #expect(AnalysedRecording(recording).measured(in: window).caveats.isEmpty)
    recording.trial?.sounds = [.init(onset: 19.99, offset: 25), .init(onset: 30, offset: 40.01)]
    #expect(AnalysedRecording(recording).measured(in: window).caveats == [.soundPaused])
  }
}

import Basics
import Bundles
import Recordings
import TestSupport
import Testing

@testable import Analysis

@Suite("Measuring recordings")
struct AnalysedRecordingTests {
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
    "Windows lie where the trial says",
    arguments: [
      ("stimulus", 75.0, 25), ("preStimulus", 60, 19), ("postStimulus", 60, 19), ("step:rest", 60, 19),
      ("-10:0", 60, 9),
      ("0.005:8.02", 75, 10), ("automatic", 75, 25),
    ])
  func windows(text: String, rate: Double, beats: Int) throws {
    let window = try #require(AnalysisWindow(text))
    #expect("\(window)" == text)
    let measured = AnalysedRecording(try recording()).measured(in: window, [.timeWeightedHeartRate])
    let measurement = try #require(measured.measurements.first)
    #expect((try #require(measurement.value) - rate).magnitude < 1e-6)
    #expect((measurement.beatsUsed - beats).magnitude <= 1)
    #expect(measured.caveats.map(\.description) == [])
  }

  @Test(
    "Words that are no windows are none",
    arguments: ["", "stimulos", "step:", "5", "3:1", "1:2:3", "a:b", "nan:1", "0:inf", "0:1e308", "-1e10:0"])
  func noWindows(text: String) { #expect(AnalysisWindow(text) == nil) }

  @Test("A window without a place says why, and every measure with it")
  func missing() throws {
    let silent = AnalysedRecording(try recording { $0.sound = nil })
    for (window, reason) in [
      (AnalysisWindow.stimulus, MissingNumber.noStimulus), (.preStimulus, .noOnset),
      (.seconds(0...10), .noZero(because: .noOnset)), (.step("x"), .noStep(step: "x", steps: ["rest", "music"])),
    ] {
      let measured = silent.measured(in: window)
      #expect(measured.placed.bounds == nil && measured.caveats.isEmpty)
      #expect(measured.measurements.allSatisfy { $0.missing == reason })
    }
    let everything = silent.measured(in: .automatic)
    #expect(everything.placed.window == .whole)
    #expect(everything.caveats == [.wholeRecording(because: .noStimulus)])
    #expect(silent.phases.isEmpty)
    #expect(silent.response(ResponseSettings()) == nil)
  }

  @Test("Rest, stimulus and after give reactivity and recovery")
  func phases() throws {
    let phases = AnalysedRecording(try recording(), AnalysisSettings(measures: [.timeWeightedHeartRate, .meanNN]))
      .phases
    #expect(phases.count == 2)
    #expect((try #require(phases[0].reactivity) - 15).magnitude < 1e-6)
    #expect((try #require(phases[0].recovery) + 15).magnitude < 1e-6)
    #expect((try #require(phases[1].reactivity) + 200).magnitude < 1e-6)
  }

  @Test("The response to the onset is the difference from the time before it")
  func response() throws {
    let settings = try ResponseSettings(before: 10, after: 15, binWidth: 5)
    let response = try #require(AnalysedRecording(try recording()).response(settings))
    #expect(response.onset == 19.99)
    #expect((try #require(response.baseline) - 60).magnitude < 1e-6)
    #expect(response.bins.count == 5)
    #expect((try #require(response.bins[4].response) - 15).magnitude < 1e-6)
  }

  @Test("Heart rates alone give heart-rate measures, and a reason for all others")
  func ratesAlone() throws {
    let recording = try recording { $0.changes = { _ in ["rr_ms": .some(nil)] } }
    #expect(recording.beats == nil)
    let analysed = AnalysedRecording(recording)
    #expect(analysed.usesRates)
    for measurement in analysed.measured(in: .seconds(0.5...19)).measurements {
      switch measurement.measure.domain {
      case .heartRate:
        #expect((try #require(measurement.value) - 75).magnitude < 1e-6, "\(measurement.measure)")
        #expect(measurement.definition.contains("sensor's heart rates"))
      default:
        #expect(measurement.missing == .needsIntervals(measure: measurement.measure))
      }
    }
  }

  @Test(
    "No beat, one beat, constant beats and a bad trial are measured as far as they can be", arguments: [0, 1, 2, 65])
  func few(beats: Int) throws {
    let recording = try recording {
      $0.intervals = Array(repeating: 900, count: beats)
      $0.verdict = "bad"
    }
    for window in [AnalysisWindow.automatic, .whole, .stimulus, .preStimulus, .seconds(-5...5)] {
      let measured = AnalysedRecording(recording).measured(in: window)
      for measurement in measured.measurements {
        switch measurement.outcome {
        case .value(let number): #expect(number.isFinite)
        case .missing(let reason): #expect("\(reason)".hasSuffix("."), "\(reason)")
        }
      }
    }
    let rate = AnalysedRecording(recording).measured(in: .whole, [.meanHeartRate]).measurements[0].value
    #expect(beats == 0 ? rate == nil : (try #require(rate) - 60_000 / 900).magnitude < 1e-9)
    #expect(recording.trial?.verdict == .bad)
  }

  @Test("A recording with few beats in the window says how much of it is known")
  func coverage() throws {
    let recording = try recording { $0.changes = { number in (22...38).contains(number) ? ["contact": false] : [:] } }
    let measured = AnalysedRecording(recording).measured(in: .stimulus)
    #expect(measured.coverage < 0.5)
    for one in measured.measurements {
      #expect(one.coverage.share == measured.coverage && one.coverage.window == 19.99...40.01)
      guard one.measure.domain == .heartRate else { continue }
      #expect(one.missing == .partlyKnown(share: measured.coverage, from_s: 19.99, to_s: 40.01))
    }
    // Rest and after are known, and so are their own numbers; what needs the stimulus is missing.
    let phase = try #require(AnalysedRecording(recording, AnalysisSettings(measures: [.meanHeartRate])).phases.first)
    #expect(phase.rest.value == 60 && phase.event.value == nil && phase.reactivity == nil && phase.remainder != nil)
    #expect(recording.caveats.contains(.noSkinContact(count: 17, entry: .reading)))
    #expect(recording.caveats.map(\.description).contains { $0.contains("There is a gap of") })
  }

  @Test(
    "What an artefact correction changed is told, and the intervals as recorded stay",
    arguments: [ArtefactCorrection.lipponenTarvainen, .range(RangeFilter()), .none])
  func artefacts(correction: ArtefactCorrection) throws {
    let recording = try recording {
      $0.intervals = (0..<120).map { 850 + 40 * Double(($0 * 7) % 5) / 5 }
      $0.intervals[60] = 2400
    }
    let analysed = AnalysedRecording(recording, AnalysisSettings(correction: correction))
    #expect(analysed.series.raw.intervals == recording.beats?.intervals)
    #expect(analysed.series.artefacts.isEmpty == (correction == .none))
    #expect(analysed.series.corrected.intervals.contains(2400) == (correction == .none))
  }

  @Test("A trial without a clip names the step that can be measured instead", arguments: [true, false])
  func silent(hasClip: Bool) throws {
    let silent = AnalysedRecording(
      try recording {
        $0.sound = nil
        if !hasClip { $0.clip = nil }
      })
    let reason = hasClip ? MissingNumber.noStimulus : .noSound(step: "music")
    let measured = silent.measured(in: .stimulus, [.meanHeartRate])
    #expect(measured.measurements.map(\.missing) == [reason])
    #expect(silent.recording.onsetIsMissing == (hasClip ? .noOnset : reason))
    let locked = AnalysedRecording(silent.recording.locked(to: [.stimulus, .step("music")]))
    #expect(locked.measured(in: .stimulus, [.meanHeartRate]).measurements.map(\.missing) == [nil])
  }
}

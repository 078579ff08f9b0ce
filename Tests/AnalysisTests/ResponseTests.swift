import Testing

@testable import Analysis

@Suite("Responses to stimuli")
struct ResponseTests {
  /// 60 a minute until the onset at 100 s, 80 for ten seconds after it, then 60 again.
  private var track: HeartRateTrack {
    HeartRateTrack(
      rates: (1...200).map { $0 > 100 && $0 <= 110 ? 80 : 60 }, times: (1...200).map { Double($0) })
  }

  @Test("second by second, a rate is weighted with the time its interval lies in the second")
  func weighting() {
    let track = HeartRateTrack(IntervalSeries([1000, 500, 750, 750]))
    // From 1 to 2 s: half a second of 120 a minute, half of 80.
    #expect(track.mean(from: 1, to: 2) == (100, 1))
    #expect(track.mean(from: 0, to: 1) == (60, 1))
    #expect(track.mean(from: 2, to: 4) == (80, 0.5))
    #expect(track.mean(from: 10, to: 11) == (nil, 0))
    #expect(track.mean(from: 1, to: 1) == (nil, 0))
    // Over all of it, the weighted mean is 60000 / mean NN.
    #expect(relativeError(track.mean(from: 0, to: 3).rate, 80) < 1e-12)
  }

  @Test("a sensor's rates stand for the time before them, no longer than two seconds")
  func rates() {
    let track = HeartRateTrack(rates: [60, .nan, 70, 90, 90], times: [1, 2, 3, 10, 10])
    #expect(track.spans.map(\.start) == [-1, 1, 8])
    #expect(track.spans.map(\.rate) == [60, 70, 90])
    #expect(track.mean(from: 3, to: 8).rate == nil)
  }

  @Test(
    "are compared with the time before the onset",
    arguments: [
      (ResponseSettings.Baseline.none, 80.0, 60.0), (.difference, 20, 0), (.percent, 100.0 / 3, 0),
    ])
  func baselines(baseline: ResponseSettings.Baseline, during: Double, before: Double) {
    let response = LockedResponse(in: track, onset: 100, ResponseSettings(before: 5, after: 20, baseline: baseline))
    #expect(response.bins.count == 25)
    #expect(response.reason == nil)
    for bin in response.bins {
      let isDuring = bin.bounds.lowerBound >= 0 && bin.bounds.upperBound <= 10
      #expect(relativeError(bin.response, isDuring ? during : before) < 1e-12 || bin.response == before)
      #expect(bin.coverage == 1)
    }
  }

  @Test("a sensor's latency is taken off its times")
  func latency() {
    let late = HeartRateTrack(
      rates: track.spans.map(\.rate), times: track.spans.map { $0.end + 2.5 })
    let expected = LockedResponse(in: track, onset: 100)
    let response = LockedResponse(in: late, onset: 100, ResponseSettings(latency: 2.5))
    #expect(response.bins.map(\.response) == expected.bins.map(\.response))
    #expect(LockedResponse(in: late, onset: 100).bins.map(\.response) != expected.bins.map(\.response))
  }

  @Test("bins that are hardly known have no number, and a response without a baseline says so")
  func gaps() {
    let track = HeartRateTrack(rates: (100...130).map { _ in 60 }, times: (100...130).map { Double($0) }, longest: 1)
    let early = LockedResponse(in: track, onset: 100, ResponseSettings(before: 10, after: 10))
    #expect(early.baseline == nil)
    #expect(early.bins.allSatisfy { $0.response == nil })
    #expect(early.bins[10].heartRate == 60)
    #expect(
      early.reason == "The heart rate is known for 10.0 % of the baseline, which is too little to compare with.")
    let late = LockedResponse(in: track, onset: 125, ResponseSettings(before: 10, after: 10))
    #expect(late.bins.map { $0.response == nil } == (0..<20).map { $0 >= 15 })
    let nowhere = LockedResponse(in: track, onset: 500, ResponseSettings(baseline: .none))
    #expect(nowhere.reason == "The heart rate is not known around this onset.")
  }

  @Test("are averaged by a key, bin by bin, over the trials that have a number")
  func averages() throws {
    let rates = HeartRateTrack(
      rates: (1...400).map { $0 > 300 && $0 <= 310 ? 100 : $0 > 100 && $0 <= 110 ? 80 : 60 },
      times: (1...400).map { Double($0) })
    let settings = ResponseSettings(before: 5, after: 15)
    let responses = [("calm", 200.0), ("lively", 100), ("lively", 300), ("lively", 900)].map {
      (key: $0.0, response: LockedResponse(in: rates, onset: $0.1, settings))
    }
    let averages = AveragedResponse.averages(of: responses)
    #expect(averages.map(\.key) == ["calm", "lively"])
    let bin = averages[1].average.bins[6]
    #expect(averages[1].average.trials == 3)
    #expect(bin.count == 2 && bin.mean == 30)
    #expect(relativeError(bin.standardDeviation, 200.0.squareRoot()) < 1e-12)
    let interval = try #require(bin.interval)
    #expect(interval.lower == 20 && interval.upper == 40)
    #expect(averages[0].average.bins[6].mean == 0 && averages[0].average.bins[6].interval == nil)
    #expect(AveragedResponse(of: []) == nil)
  }

  @Test("reactivity is event less rest, recovery after less event")
  func phases() throws {
    let intervals =
      [Double](repeating: 1000, count: 60) + [Double](repeating: 750, count: 80)
      + [Double](repeating: 800, count: 75)
    let response = PhaseResponse(
      .timeWeightedHeartRate, of: CorrectedSeries(uncorrected: IntervalSeries(intervals)), rest: 0...60,
      event: 60...120, after: 120...180)
    #expect(response.rest.value == 60 && response.event.value == 80 && response.after.value == 75)
    #expect(response.reactivity == 20 && response.recovery == -5 && response.remainder == 15)
    #expect(response.event.beatsUsed == 80)
    #expect(response.event.artefactShare == 0)
    var faulty = intervals
    faulty[100] = 1500
    let filtered = RangeFilter(limits: 300...1400).correct(IntervalSeries(faulty))
    let corrected = PhaseResponse(.meanNN, of: filtered, rest: 0...60, event: 60...120, after: 120...180)
    #expect(corrected.rest.artefactShare == 0 && corrected.event.artefactShare == 1.0 / 79)
    let missing = PhaseResponse(
      .meanNN, of: CorrectedSeries(uncorrected: IntervalSeries(intervals)), rest: 0...60, event: 500...600,
      after: 120...180)
    #expect(
      missing.reactivity == nil
        && missing.event.outcome == .missing("There is no interval between beats in this window."))
  }
}

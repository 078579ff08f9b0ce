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
    let response = LockedResponse(in: late, onset: 100, latency: 2.5)
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
      early.reason == "The heart rate is known for 10 % of the baseline, which is too little to compare with.")
    let late = LockedResponse(in: track, onset: 125, ResponseSettings(before: 10, after: 10))
    #expect(late.bins.map { $0.response == nil } == (0..<20).map { $0 >= 15 })
    let nowhere = LockedResponse(in: track, onset: 500, ResponseSettings(baseline: .none))
    #expect(nowhere.reason == "The heart rate is not known around this onset.")
  }

  @Test("bins lie from the onset outwards, so that none straddles it")
  func bins() {
    let settings = ResponseSettings(before: 2.5, after: 3.9, binWidth: 1)
    #expect((0..<settings.binCount).map(settings.bounds) == [-2 ... -1, -1...0, 0...1, 1...2, 2...3])
    #expect(settings.baselineWindow == -2.5...0)
    let late = ResponseSettings(before: -1.5, after: 4, binWidth: 0.5, baseline: .none)
    #expect((0..<late.binCount).map { late.bounds($0).lowerBound } == [1.5, 2, 2.5, 3, 3.5])
    #expect(ResponseSettings(before: 0, baselineWindow: -5...0).binCount == 30)
  }

  @Test("a response without a time to compare with is a mistake of the caller's")
  func noBaseline() async {
    await #expect(processExitsWith: .failure) { _ = ResponseSettings(before: 0) }
    await #expect(processExitsWith: .failure) { _ = ResponseSettings(before: 0.4, after: 0.4, baseline: .none) }
  }

  /// Trials in which the heart rate rises by so much for ten seconds.
  private func response(_ rise: Double, latency: Double = 0) -> LockedResponse {
    let track = HeartRateTrack(
      rates: (1...60).map { $0 > 20 && $0 <= 30 ? 60 + rise : 60 }, times: (1...60).map { Double($0) + latency })
    return LockedResponse(in: track, onset: 20, ResponseSettings(before: 5, after: 15), latency: latency)
  }

  private func average(
    of responses: [(participant: String, response: LockedResponse)], over: SamplingUnit = .participants
  ) -> AveragedResponse? {
    var sums = ResponseSums(ResponseSettings(before: 5, after: 15), over: over)
    for one in responses { sums.add(one.response, of: one.participant) }
    return sums.average()
  }

  @Test(
    "that are gathered in parts are averaged as those that are gathered together",
    arguments: [SamplingUnit.participants, .trials])
  func parts(over: SamplingUnit) throws {
    let responses = (0..<6).map { (participant: "p\($0 % 2)", response: response(Double($0 * $0))) }
    let settings = responses[0].response.settings
    var (one, other) = (ResponseSums(settings, over: over), ResponseSums(settings, over: over))
    for part in responses.prefix(3) { one.add(part.response, of: part.participant) }
    for part in responses.dropFirst(3) { other.add(part.response, of: part.participant) }
    one.add(other)
    let (parts, whole) = (try #require(one.average()), try #require(self.average(of: responses, over: over)))
    #expect(parts.trials == 6 && parts.participants == 2 && parts.over == over)
    #expect(parts.bins.map(\.mean) == whole.bins.map(\.mean))
    #expect(parts.bins[6].interval?.observations == (over == .participants ? 2 : 6))
  }

  @Test("are averaged by a key, each participant counting once, with intervals over participants")
  func averages() throws {
    let nothing = LockedResponse(
      in: HeartRateTrack(rates: [], times: []), onset: 20, ResponseSettings(before: 5, after: 15))
    let responses: [(key: String, participant: String, response: LockedResponse)] = [
      ("lively", "p1", response(10)), ("lively", "p1", response(20)), ("lively", "p1", response(30)),
      ("lively", "p2", response(40)), ("lively", "p3", nothing), ("calm", "p1", response(0)),
    ]
    func average(_ key: String) -> AveragedResponse? {
      self.average(of: responses.filter { $0.key == key }.map { ($0.participant, $0.response) })
    }
    let lively = try #require(average("lively"))
    #expect(lively.trials == 5 && lively.participants == 3 && lively.over == .participants)
    #expect(lively.settings.unit == "/min" && lively.settings.baseline == .difference)
    let bin = lively.bins[6]
    // p1's mean is 20, p2's 40.
    #expect(bin.count == 4 && bin.participants == 2 && bin.mean == 30)
    #expect(relativeError(bin.standardDeviation, 200.0.squareRoot()) < 1e-12)
    let interval = try #require(bin.interval)
    #expect(interval.lower == 20 && interval.upper == 40)
    let calm = try #require(average("calm"))
    #expect(calm.bins[6].mean == 0 && calm.bins[6].interval == nil && calm.over == .participants)
    #expect(self.average(of: []) == nil)
  }

  @Test("many trials of one participant do not narrow what is said of participants")
  func replication() throws {
    let many = (0..<50).map { response(10 + Double($0 % 3)) }
    let average = try #require(self.average(of: many.map { ("p1", $0) } + [("p2", response(40))]))
    let interval = try #require(average.bins[6].interval)
    #expect(interval.observations == 2 && interval.upper - interval.lower > 25)
    // Over the trials of one participant the interval is that of trials, where that is asked for, and says so.
    let one = try #require(self.average(of: many.map { ("p1", $0) }, over: .trials))
    #expect(one.over == .trials && one.participants == 1)
    #expect(one.bins[6].interval?.observations == 50)
  }

  @Test("responses from sensors of unlike latencies are averaged together")
  func latencies() throws {
    let average = try #require(self.average(of: [("p1", response(10)), ("p2", response(10, latency: 2.5))]))
    #expect(average.bins[6].mean == 10 && average.bins[6].standardDeviation == 0)
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

  @Test("a window that was hardly recorded has no number, one partly recorded says so, and windows are those asked for")
  func coverage() throws {
    let series = IntervalSeries([Double](repeating: 1000, count: 100), ends: (1...100).map { Double($0) + 2.5 })
    let response = PhaseResponse(
      .meanNN, of: CorrectedSeries(uncorrected: series), rest: 0...60, event: 60...110, after: 90...150, latency: 2.5)
    #expect(response.rest.window == 0...60 && response.rest.warnings.isEmpty)
    #expect(response.restCoverage == PhaseResponse.Coverage(window: 0...60, share: 1))
    #expect(response.event.window == 60...100)
    #expect(response.eventCoverage.share == 0.8)
    #expect(response.event.warnings == ["80 % of the window from 60 to 110 s is known."])
    #expect(
      response.after.outcome
        == .missing("17 % of the window from 90 to 150 s is known, which is too little to measure."))
    #expect(response.reactivity == 0 && response.recovery == nil && response.unit == "ms")
    let lenient = PhaseResponse(
      .meanNN, of: CorrectedSeries(uncorrected: series), rest: 0...60, event: 60...110, after: 90...150, latency: 2.5,
      leastCoverage: 0.1)
    #expect(lenient.recovery == 0)
  }

  @Test(
    "windows of unlike length are told where the measure depends on it",
    arguments: [(Measure.sdnn, true), (.sd2, true), (.hf, true), (.rmssd, false), (.meanHeartRate, false)])
  func unlikeWindows(measure: Measure, isWarned: Bool) {
    let intervals = (0..<400).map { 1000 + 50 * sine(Double($0)) }
    let series = CorrectedSeries(uncorrected: IntervalSeries(intervals))
    let unlike = PhaseResponse(measure, of: series, rest: 0...200, event: 200...300, after: 300...398)
    #expect(unlike.warnings.isEmpty != isWarned)
    #expect(PhaseResponse(measure, of: series, rest: 0...100, event: 100...200, after: 200...300).warnings.isEmpty)
  }

  @Test("reactivity is read off a sensor's heart rates where there are no intervals")
  func phasesOfRates() {
    let response = PhaseResponse(.meanHeartRate, of: track, rest: 50...100, event: 100...110, after: 110...200)
    #expect(response.reactivity == 20 && response.recovery == -20)
    #expect(response.eventCoverage.share == 1)
    #expect(PhaseResponse(.rmssd, of: track, rest: 50...100, event: 100...110, after: 110...200).reactivity == nil)
  }

  @Test("phases can be put together from measurements made elsewhere")
  func measuredPhases() {
    func measured(_ count: Int, from start: Double) -> Measurement {
      let ends = (1...count).map { start + Double($0) }
      return HeartAnalysis(IntervalSeries([Double](repeating: 1000, count: count), ends: ends)).measurement(.sdnn)
    }
    let response = PhaseResponse(
      rest: measured(60, from: 0), event: measured(30, from: 60), after: measured(30, from: 90))
    #expect(response.reactivity == 0 && response.recovery == 0)
    #expect(response.eventCoverage == PhaseResponse.Coverage(window: 60...90, share: 1))
    #expect(
      response.warnings == [
        "SDNN depends on how long is measured, and the windows differ: 60 s of rest, 30 s of the event, "
          + "30 s of the time after."
      ])
  }

  @Test("spans of a track do not overlap, though intervals may by a little")
  func overlap() {
    let track = HeartRateTrack(IntervalSeries([1000, 1000, 1000], ends: [1, 1.8, 2.8]))
    #expect(track.spans.map(\.start) == [0, 1, 1.8])
    #expect(track.mean(from: 0, to: 2.8).coverage == 1)
  }
}

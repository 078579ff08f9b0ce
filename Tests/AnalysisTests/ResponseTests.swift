import Testing

@testable import Analysis
@testable import Recordings

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

  @Test("a sensor's rates stand for the time before them; the first, and one after a gap, for the median step")
  func rates() {
    let track = HeartRateTrack(rates: [60, .nan, 65, 70, 90, 90], times: [1, 1.5, 2, 3, 10, 10])
    #expect(track.spans.map(\.start) == [0, 1, 2, 9])
    #expect(track.spans.map(\.rate) == [60, 65, 70, 90])
    #expect(track.mean(from: 3, to: 9).rate == nil)
  }

  @Test(
    "the longest that a rate stands for is twice the median step, two seconds at least",
    arguments: [(0.25, 2.0), (1, 2), (5, 10), (300, 600)])
  func pace(step: Double, longest: Double) throws {
    // Every sixth is lost, and then nine in a row.
    let times = (0..<60).filter { $0 % 6 != 5 && !(30..<39).contains($0) }.map { 1000 + step * Double($0) }
    let track = HeartRateTrack(rates: times.map { _ in 60 }, times: times)
    #expect(track.pace?.step == step && track.pace?.longest == longest)
    let gaps = zip(track.spans, track.spans.dropFirst()).count { $1.start > $0.end }
    #expect(gaps == (step * 10 > longest ? 1 : 0))
    #expect(track.spans[0].start == 1000 - step)
    let parameters = HeartAnalysis(rates: track).measurement(.timeWeightedHeartRate).parameters.map(\.value)
    #expect(parameters.contains("the time since the one before it, at most \(Int(longest)) s"))
    #expect(parameters.contains { $0.hasSuffix(" s, the median step") })
  }

  @Test(
    "are compared with the time before the onset",
    arguments: [
      (ResponseSettings.Baseline.none, 80.0, 60.0), (.difference, 20, 0), (.percent, 100.0 / 3, 0),
    ])
  func baselines(baseline: ResponseSettings.Baseline, during: Double, before: Double) throws {
    let response = LockedResponse(in: track, onset: 100, try ResponseSettings(before: 5, after: 20, baseline: baseline))
    #expect(response.bins.count == 25)
    #expect(response.reason == nil)
    for bin in response.bins {
      let isDuring = bin.bounds.lowerBound >= 0 && bin.bounds.upperBound <= 10
      #expect(relativeError(bin.response, isDuring ? during : before) < 1e-12 || bin.response == before)
      #expect(bin.coverage == 1)
    }
  }

  @Test("bins that are hardly known have no number, and a response without a baseline says so")
  func gaps() throws {
    let track = HeartRateTrack(rates: (100...130).map { _ in 60 }, times: (100...130).map { Double($0) })
    let early = LockedResponse(in: track, onset: 100, try ResponseSettings(before: 10, after: 10))
    #expect(early.baseline == nil)
    #expect(early.bins.allSatisfy { $0.response == nil })
    #expect(early.bins[10].value == 60)
    #expect(
      early.reason?.description
        == "The heart rate is known for 10 % of the baseline, which is too little for a comparison.")
    let late = LockedResponse(in: track, onset: 125, try ResponseSettings(before: 10, after: 10))
    #expect(late.bins.map { $0.response == nil } == (0..<20).map { $0 >= 15 })
    // Eight of ten seconds are known before 107 s.
    let partly = LockedResponse(in: track, onset: 107, try ResponseSettings(before: 10, after: 10))
    #expect(partly.baseline == 60 && partly.baselineCoverage == Coverage(window: 97...107, share: 0.8))
    #expect(partly.caveats.map(\.description) == ["80 % of the window from 97 to 107 s is known."])
    #expect(late.caveats.isEmpty && early.caveats.isEmpty)
    let nowhere = LockedResponse(in: track, onset: 500, ResponseSettings(baseline: .none))
    #expect(nowhere.reason == .noRatesAroundOnset)
  }

  @Test("bins lie from the onset outwards, so that none straddles it, and what is in none is reported")
  func bins() throws {
    let settings = try ResponseSettings(before: 2.5, after: 3.9, binWidth: 1)
    #expect((0..<settings.binCount).map(settings.bounds) == [-2 ... -1, -1...0, 0...1, 1...2, 2...3])
    #expect(settings.baselineWindow == -2.5...0 && settings.reach == -2...3)
    #expect(
      settings.uncovered
        == "Whole bins of 1 s are counted from the onset; -2.5 to -2 s and 3 to 3.9 s are in none.")
    #expect(
      try ResponseSettings(before: 10, after: 14, binWidth: 5).uncovered?.contains("10 to 14 s is in none") == true)
    #expect(try ResponseSettings(before: 10, after: 15, binWidth: 5).uncovered == nil)
    #expect(ResponseSettings().uncovered == nil && ResponseSettings().reach == -10...30)
    #expect(try ResponseSettings() == ResponseSettings(before: 10, after: 30))
    let late = try ResponseSettings(before: -1.5, after: 4, binWidth: 0.5, baseline: .none)
    #expect((0..<late.binCount).map { late.bounds($0).lowerBound } == [1.5, 2, 2.5, 3, 3.5])
    #expect(try ResponseSettings(before: 0, baselineWindow: -5...0).binCount == 30)
  }

  @Test(
    "settings that leave nothing to measure, or to compare with, are refused with the reason",
    arguments: [
      (-0.3, 1.4, 1.0, ResponseSettings.Baseline.none, "no whole bin of 1 s, counted from the onset, lies in 0.3:1.4"),
      (0.5, 0.7, 1, .difference, "no whole bin of 1 s, counted from the onset, lies in -0.5:0.7"),
      (0.4, 0.4, 1, .none, "no whole bin of 1 s"),
      (-1e18, 1_000_000_000_000_001_024, 0.02, .none, "further than a million seconds from the onset"),
      (.infinity, 5, 1, .none, "further than a million seconds"), (.nan, 5, 1, .none, "further than a million seconds"),
      (10_000, 30_000, 1, .difference, "-10000:30000 has 40000 bins of 1 s, and 20000 are the most; seconds such as"),
      (10, 30, 0, .none, "has no duration"), (10, 30, -1, .none, "has no duration"),
      (10, 30, .nan, .none, "no duration"),
      (10, 30, 1e-300, .none, "bins of 1e-300 s"), (0, 30, 1, .difference, "has no baseline of its own"),
      (-1, 30, 1, .percent, "has no baseline of its own"),
    ])
  func refused(before: Double, after: Double, bin: Double, baseline: ResponseSettings.Baseline, reason: String) {
    let error = #expect(throws: ResponseSettingsError.self) {
      try ResponseSettings(before: before, after: after, binWidth: bin, baseline: baseline)
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  /// Trials in which the heart rate rises by so much for ten seconds.
  private func response(_ rise: Double) throws -> LockedResponse {
    let track = HeartRateTrack(
      rates: (1...60).map { $0 > 20 && $0 <= 30 ? 60 + rise : 60 }, times: (1...60).map { Double($0) })
    return LockedResponse(in: track, onset: 20, try ResponseSettings(before: 5, after: 15))
  }

  private func average(
    of responses: [(participant: String, response: LockedResponse)], over: SamplingUnit = .participants
  ) -> AveragedResponse? {
    guard let settings = responses.first?.response.settings else { return nil }
    var sums = ResponseSums(settings, over: over)
    for one in responses { sums.add(one.response, of: one.participant) }
    return sums.average()
  }

  @Test(
    "that are gathered in parts are averaged as those that are gathered together",
    arguments: [SamplingUnit.participants, .trials])
  func parts(over: SamplingUnit) throws {
    let responses = try (0..<6).map { (participant: "p\($0 % 2)", response: try response(Double($0 * $0))) }
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

  @Test(
    "have nobody in a bin that is known of none, whatever they are averaged over",
    arguments: [SamplingUnit.participants, .trials])
  func emptyBin(over: SamplingUnit) throws {
    let track = HeartRateTrack(rates: [Double](repeating: 60, count: 25), times: (1...25).map { Double($0) })
    let response = LockedResponse(in: track, onset: 20, try ResponseSettings(before: 5, after: 15))
    let average = try #require(self.average(of: [("p1", response), ("p2", response)], over: over))
    #expect(average.bins[0].participants == 2 && average.bins[0].count == 2)
    #expect(average.bins[19].participants == 0 && average.bins[19].count == 0 && average.bins[19].mean == nil)
  }

  @Test("are averaged by a key, each participant counting once, with intervals over participants")
  func averages() throws {
    let nothing = LockedResponse(
      in: HeartRateTrack(rates: [], times: []), onset: 20, try ResponseSettings(before: 5, after: 15))
    let responses: [(key: String, participant: String, response: LockedResponse)] = [
      ("lively", "p1", try response(10)), ("lively", "p1", try response(20)), ("lively", "p1", try response(30)),
      ("lively", "p2", try response(40)), ("lively", "p3", nothing), ("calm", "p1", try response(0)),
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
    #expect(ResponseSums(calm.settings, over: .participants).average() == nil)
  }

  @Test("many trials of one participant do not narrow what is said of participants")
  func replication() throws {
    let many = try (0..<50).map { try response(10 + Double($0 % 3)) }
    let average = try #require(self.average(of: many.map { ("p1", $0) } + [("p2", try response(40))]))
    let interval = try #require(average.bins[6].interval)
    #expect(interval.observations == 2 && interval.upper - interval.lower > 25)
    // Over the trials of one participant the interval is that of trials, where that is asked for, and says so.
    let one = try #require(self.average(of: many.map { ("p1", $0) }, over: .trials))
    #expect(one.over == .trials && one.participants == 1)
    #expect(one.bins[6].interval?.observations == 50)
  }

  /// A measure of intervals that all last a second, or vary.
  private func measured(_ measure: Measure, _ count: Int, from start: Double, rate: Double = 60) -> Measurement {
    let intervals = (0..<count).map { 60_000 / rate + (measure == .meanHeartRate ? 0 : 50 * sine(Double($0))) }
    let ends = (1...count).map { start + Double($0) * 60 / rate }
    return HeartAnalysis(IntervalSeries(intervals, ends: ends)).measurement(measure)
  }

  @Test("reactivity is event less rest, recovery after less event")
  func phases() {
    let response = PhaseResponse(
      rest: measured(.meanHeartRate, 60, from: 0), event: measured(.meanHeartRate, 80, from: 60, rate: 80),
      after: measured(.meanHeartRate, 75, from: 120, rate: 75))
    #expect(response.reactivity == 20 && response.recovery == -5 && response.remainder == 15)
    #expect(response.unit == "/min" && response.caveats.isEmpty)
    let missing = PhaseResponse(
      rest: response.rest, event: HeartAnalysis(IntervalSeries([])).measurement(.meanHeartRate), after: response.after)
    #expect(missing.reactivity == nil && missing.recovery == nil && missing.remainder == 15)
  }

  @Test("windows of unlike length are reported where the measure depends on it", arguments: Measure.ofHearts)
  func unlikeWindows(measure: Measure) {
    let isWarned = [
      Measure.minimumHeartRate, .maximumHeartRate, .nn50, .sdnn, .sd2, .sampleEntropy, .vlf, .lf, .hf, .lfToHF,
      .lfNormalised, .hfNormalised,
    ].contains(measure)
    let long = measured(measure, 400, from: 0)
    let unlike = PhaseResponse(rest: long, event: measured(measure, 200, from: 400), after: long)
    #expect(unlike.caveats.isEmpty != isWarned, "\(long.outcome)")
    #expect(PhaseResponse(rest: long, event: long, after: long).caveats.isEmpty)
    if measure == .nn50 {
      #expect(
        unlike.caveats.map(\.description) == [
          "NN50 depends on the duration, and the windows differ: 400.1 s of rest, 200 s of the event, "
            + "400.1 s of the time after."
        ])
    }
  }

  @Test("spans of a track do not overlap, though intervals may by a little")
  func overlap() {
    let track = HeartRateTrack(IntervalSeries([1000, 1000, 1000], ends: [1, 1.8, 2.8]))
    #expect(track.spans.map(\.start) == [0, 1, 1.8])
    #expect(track.mean(from: 0, to: 2.8).coverage == 1)
  }
}

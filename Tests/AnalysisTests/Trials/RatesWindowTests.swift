import TestSupport
import Testing

@testable import Analysis
@testable import Recordings

@Suite("Windows of heart rates")
struct RatesWindowTests {
  /// A file of rates, and of intervals where some are given.
  private func recording(
    _ rates: [Double], every step: Double = 1, from start: Double = 0, beats: IntervalSeries? = nil
  ) -> AnalysedRecording {
    let rates = HeartRates(rates.enumerated().map { (time: start + step * Double($0.offset), value: $0.element) })
    return AnalysedRecording(Recording(path: "rates.csv", beats: beats, rates: rates))
  }

  private func value(_ measure: Measure, _ analysed: AnalysedRecording, _ window: AnalysisWindow = .automatic)
    -> Double?
  {
    analysed.measured(in: window, [measure]).measurements[0].value
  }

  @Test("No rate is lost where everything is measured", arguments: [AnalysisWindow.automatic, .whole, .seconds(0...5)])
  func everyRate(window: AnalysisWindow) {
    let analysed = recording([40, 80, 80, 80, 200])
    #expect(value(.meanHeartRate, analysed, window) == 96)
    #expect(value(.timeWeightedHeartRate, analysed, window) == 96)
    #expect(value(.minimumHeartRate, analysed, window) == 40)
    #expect(analysed.measured(in: window).measurements[0].beatsUsed == 5)
    #expect(analysed.recording.extent == -1...4)
  }

  @Test("A rate alone has a number")
  func alone() {
    let measured = recording([72], from: 5).measured(in: .whole)
    for one in measured.measurements where one.measure.domain == .heartRate { #expect(one.value == 72) }
    #expect(measured.coverage == 1)
  }

  @Test("Before the event the first rate counts too")
  func before() {
    var recording = recording([40, 80, 80, 80, 200]).recording
    recording.events = [.seconds(2, nil)]
    #expect(value(.meanHeartRate, AnalysedRecording(recording), .preStimulus) == (40 + 80 + 80) / 3.0)
  }

  @Test("Rates that come every few seconds cover what lies between them", arguments: [1.0, 5, 60])
  func slow(step: Double) throws {
    let measured = recording((0..<48).map { 70 + Double($0 % 3) }, every: step).measured(in: .whole)
    #expect(measured.coverage == 1)
    for one in measured.measurements where one.measure.domain == .heartRate { #expect(one.caveats.isEmpty) }
  }

  @Test("One interval among many rates does not hide them; variability is of the intervals, and both are reported")
  func oneInterval() throws {
    let beats = IntervalSeries([1000], ends: [30])
    let analysed = recording((0..<60).map { _ in 75 }, beats: beats)
    let measured = analysed.measured(in: .automatic, [.meanHeartRate, .minimumHeartRate, .meanNN])
    #expect(measured.source == .heartRates && measured.coverage == 1)
    #expect(measured.measurements.map(\.measure) == [.meanHeartRate, .minimumHeartRate, .meanNN])
    #expect(measured.measurements[0].value == 75 && measured.measurements[0].beatsUsed == 60)
    #expect(measured.measurements[0].definition == "mean of the sensor's heart rates")
    #expect(
      measured.measurements[2].missing?.description
        == "2 % of the window from -1 to 59 s is known, which is too little to measure.")
    #expect(measured.caveats == [.sensorRates(rates: 1, intervals: 1.0 / 60)])
    #expect(!analysed.usesRates)
    let near = analysed.measured(in: .seconds(30...31))
    #expect(near.source == .intervals && near.caveats.isEmpty && near.measurements[0].value == 60)
  }

  @Test("A recording begins with its first beat, and with a rate only where that was told before")
  func extents() {
    let beats = IntervalSeries([600, 600, 600, 600, 600])
    #expect(recording([100, 100, 100], from: 0.6, beats: beats).recording.extent == 0...3)
    #expect(recording([100, 100, 100, 100], from: -1, beats: beats).recording.extent == -2...3)
    #expect(recording([100, 100, 100, 100], from: 1, beats: beats).recording.extent == 0...4)
  }

  @Test("Intervals are preferred where both cover the same")
  func both() {
    let beats = IntervalSeries(Array(repeating: 1000, count: 60))
    let measured = recording((0..<60).map { _ in 75 }, from: 1, beats: beats).measured(in: .automatic)
    #expect(measured.source == .intervals && measured.measurements[0].value == 60)
  }

  @Test("Seconds of a file count from its beginning, and from its event where it is given one")
  func fileSeconds() {
    let beats = IntervalSeries(Array(repeating: 500, count: 40) + Array(repeating: 1000, count: 40))
    let late = IntervalSeries(beats.intervals, ends: beats.ends.map { $0 + 1000 })
    let analysed = AnalysedRecording(Recording(path: "late.csv", beats: late))
    #expect(value(.meanHeartRate, analysed, .seconds(0...20)) == 120)
    let locked = AnalysedRecording(analysed.recording.locked(to: [.seconds(1020, 1050)]))
    #expect(value(.meanHeartRate, locked, .seconds(0...20)) == 60)
    #expect(value(.meanHeartRate, locked, .preStimulus) == 120)
    #expect(locked.measured(in: .automatic).placed.bounds == 1020...1050)
    let response = locked.response(ResponseSettings())
    #expect(response?.baseline == 120 && response?.bins.last?.response == -60)
    #expect(analysed.response(ResponseSettings()) == nil)
  }

  @Test("A window in milliseconds has no numbers, and is told what it is in")
  func milliseconds() throws {
    let analysed = AnalysedRecording(Recording(path: "beats", beats: IntervalSeries(Array(repeating: 800, count: 60))))
    let measured = analysed.measured(in: .seconds(0...30_000))
    #expect(measured.caveats == [.windowTooLong])
    #expect(measured.measurements.allSatisfy { $0.value == nil })
    #expect(analysed.measured(in: .seconds(0...30)).caveats.isEmpty)
  }
}

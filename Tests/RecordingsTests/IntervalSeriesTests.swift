import Testing

@testable import Analysis
@testable import Recordings

@Suite("A series of intervals")
struct IntervalSeriesTests {
  @Test("without times runs from zero, and leaves out what is not an interval")
  func withoutTimes() {
    let series = IntervalSeries([800, .nan, 900, -1, 0, .infinity, 1000, 700])
    #expect(series.intervals == [800, 900, 1000, 700])
    #expect(series.omitted == [1, 3, 4, 5])
    #expect(series.breaks == [1, 2])
    #expect(series.ends == [0.8, 1.7, 2.7, 3.4])
    #expect(series.stretches == [0..<1, 1..<2, 2..<4])
    #expect(series.longestStretch == 2..<4)
    #expect(series.successiveDifferences == [-300])
  }

  @Test("with times breaks where an interval does not begin at the one before")
  func withTimes() {
    let series = IntervalSeries([800, 800, 800, 800], ends: [1, 1.8, 5, 5.8])
    #expect(series.breaks == [2])
    #expect(abs(series.start - 0.2) < 1e-12 && series.end == 5.8)
    #expect(abs(series.duration - 5.6) < 1e-12)
    #expect(series.successiveDifferences == [0, 0])
  }

  @Test("puts late intervals in their place, and what came twice counts once")
  func order() {
    let series = IntervalSeries([800, 700, 750, 700], ends: [1, 2.45, 1.75, 2.45])
    #expect(series.intervals == [800, 750, 700])
    #expect(series.breaks.isEmpty)
    #expect(series.omitted == [3])
  }

  @Test("an interval that is none leaves a gap where the times show one")
  func lost() {
    let series = IntervalSeries([800, 800, .nan, 800], ends: [1, 1.8, 2.6, 3.4])
    #expect(series.breaks == [2])
    #expect(series.omitted == [2])
    let timeless = IntervalSeries([800, 800, 800], ends: [1, .nan, 1.8])
    #expect(timeless.breaks.isEmpty)
    #expect(timeless.omitted == [1])
  }

  @Test("an interval of more than an hour is none, and leaves a gap", arguments: [3_600_001, 1e308, .infinity])
  func tooLong(interval: Double) {
    let series = IntervalSeries([800, interval, 800, 3_600_000])
    #expect(series.intervals == [800, 800, 3_600_000] && series.breaks == [1])
    #expect(series.omitted == [1] && series.tooLong == 1)
    let timed = IntervalSeries([800, 800, interval, .nan, 800], ends: [0.8, 1.6, 1.6, 1.6, 2.4])
    #expect(timed.intervals == [800, 800, 800] && timed.breaks == [2] && timed.tooLong == 1)
  }

  @Test("can be cut to what lies wholly in a window")
  func cut() {
    let series = IntervalSeries([800, 800, 800, 800], ends: [1, 1.8, 5, 5.8])
    let cut = series.cut(from: 0.5, to: 5.8)
    #expect(cut.intervals.count == 3)
    #expect(cut.breaks == [1])
    #expect(series.cut(from: 0, to: 0.5).count == 0)
    #expect(series.cut(from: 0, to: 6) == series)
  }

  @Test("times that are no number, among times out of order, are left out before the rest is ordered")
  func unknownTimes() {
    let series = IntervalSeries([800, 800, 800, 700], ends: [3, .nan, 1, 2.2])
    #expect(series.ends == [1, 2.2, 3])
    #expect(series.intervals == [800, 700, 800])
    #expect(series.omitted == [1])
    for measurement in HeartAnalysis(series).measurements() where measurement.measure.domain == .heartRate {
      #expect(measurement.value != nil)
    }
    let infinite = IntervalSeries([800, 800, 800, 800], ends: [2, .infinity, 1, -.infinity])
    #expect(infinite.ends == [1, 2] && infinite.omitted == [1, 3])
    #expect(IntervalSeries([800], ends: [.nan]).omitted == [0])
  }

  @Test("an interval that begins well before the end of another is left out, and counts once")
  func overlap() {
    let series = IntervalSeries([800, 800, 800], ends: [1, 1.3, 2.1])
    #expect(series.ends == [1, 2.1])
    #expect(series.omitted == [1])
    #expect(series.breaks == [1])
    let sameEnd = IntervalSeries([200, 210], ends: [1, 1])
    #expect(sameEnd.intervals == [200] && sameEnd.omitted == [1])
  }

  @Test("cut, it keeps what was left out within the window, so that the share of artefacts is the window's own")
  func omissionsOfWindow() {
    let given = (0..<40).map { $0 >= 20 && $0.isMultiple(of: 2) ? Double.nan : 1000 }
    let series = IntervalSeries(given, ends: (1...40).map { Double($0) })
    #expect(series.cut(from: 0, to: 20).omitted.isEmpty)
    let late = series.cut(from: 20, to: 40)
    #expect(late.count == 10 && late.omitted == [20, 22, 24, 26, 28, 30, 32, 34, 36, 38])
    #expect(HeartAnalysis(late).artefactShare == 0.5)
    #expect(CorrectedSeries(uncorrected: series).cut(from: 20, to: 40).artefactShare == 0.5)
    let timeless = IntervalSeries([1000, .nan, 1000, 1000])
    #expect(timeless.cut(from: 0, to: 1).omitted == [1])
    #expect(timeless.cut(from: 2, to: 3).omitted.isEmpty)
  }

  @Test("an interval that rounding puts a hair outside a window still lies in it")
  func rounding() {
    let series = IntervalSeries([Double](repeating: 100, count: 20))
    // 0.3 less 0.1 is a hair below 0.2.
    #expect(series.cut(from: 0.2, to: 0.6).count == 4)
    #expect(series.cut(from: 0.6, to: 0.9).count == 3)
  }
}

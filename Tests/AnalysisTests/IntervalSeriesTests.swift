import Testing

@testable import Analysis

@Suite("A series of intervals")
struct IntervalSeriesTests {
  @Test("without times runs from zero, and leaves out what is no interval")
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

  @Test("can be cut to what lies wholly in a window")
  func cut() {
    let series = IntervalSeries([800, 800, 800, 800], ends: [1, 1.8, 5, 5.8])
    let cut = series.cut(from: 0.5, to: 5.8)
    #expect(cut.intervals.count == 3)
    #expect(cut.breaks == [1])
    #expect(series.cut(from: 0, to: 0.5).count == 0)
    #expect(series.cut(from: 0, to: 6) == series)
  }
}

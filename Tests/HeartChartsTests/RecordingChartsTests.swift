import Analysis
import Charts
import Quantities
import Recordings
import Testing

@testable import HeartCharts

@Suite("Charts of a recording")
struct RecordingChartsTests {
  /// Intervals of a second and a little, without an artefact.
  static func beats(_ count: Int, from start: Double = 0) -> IntervalSeries {
    let intervals = (0..<count).map { 1000 + 20 * Double($0 % 5) }
    var end = start
    return IntervalSeries(
      intervals,
      ends: intervals.map { interval in
        end += interval / 1000
        return end
      })
  }
}

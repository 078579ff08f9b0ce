/// What heart rates are taken from.
package enum HeartRateSource: String, Hashable, Sendable {
  /// The intervals between beats.
  case intervals
  /// The sensor's own heart rates.
  case heartRates

  /// The better source for a window.
  ///
  /// Those are the intervals, unless the sensor's own rates are known for a tenth of the window more, or there are no
  /// intervals at all: one interval among many rates does not hide them.
  ///
  /// - Parameters:
  ///   - intervals: the heart rate from beat to beat.
  ///   - rates: the sensor's own.
  ///   - window: the window, in seconds on their axis.
  package init(intervals: HeartRateTrack, rates: HeartRateTrack, in window: ClosedRange<Double>) {
    func share(_ track: HeartRateTrack) -> Double { Coverage(of: track, in: window).share }
    let hasOnlyRates = intervals.spans.isEmpty && !rates.spans.isEmpty
    self = hasOnlyRates || share(rates) > share(intervals) + 0.1 ? .heartRates : .intervals
  }
}

public import Charts
public import Recordings

extension LineChart {
  /// Heart rates as sensors have said them so far, while a trial runs.
  ///
  /// - Parameters:
  ///   - sensors: the rates by their sensors' names.
  ///   - sounds: what has sounded, as far as that was measured.
  ///   - clip: what the sound is called.
  ///   - window: the time that is shown, in seconds since the trial's zero; its end is the present.
  /// - Returns: the chart, in which what still sounds is shaded up to the present.
  public static func heartRates(
    _ sensors: [(name: String, rates: HeartRates)], sounds: [TrialFacts.Sound], clip: String?,
    window: ClosedRange<Double>
  ) -> LineChart {
    let label = clip ?? "sound"
    let heard = sounds.filter { $0.onset < window.upperBound && ($0.offset ?? .infinity) > window.lowerBound }
    let open = heard.filter { $0.offset == nil }
    return LineChart(
      Heading(noDataText: "No heart rate yet"),
      plots: sensors.map { LineChart.Plot($0.name, $0.rates.points) },
      horizontal: Axis("Time since the trial's start", scale: .elapsed, range: window), vertical: .heartRate,
      stimuli: heard.filter { $0.offset != nil }.map {
        StimulusMark(onset: $0.onset, offset: $0.offset, label: label)
      },
      spans: open.map { ShadedSpan(from: $0.onset, to: window.upperBound, label: label) },
      instants: open.map { MarkedInstant(at: $0.onset, label: "onset") })
  }
}

extension HeartRates {
  /// The rates at their times; one that is no number stands in each gap.
  ///
  /// A gap is three times as long as the rates are usually apart, and three seconds at least.
  var points: [DataPoint] {
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    let longest = max(3, steps.isEmpty ? 0 : 3 * steps[steps.count / 2])
    var points: [DataPoint] = []
    points.reserveCapacity(times.count)
    for (time, value) in zip(times, values) {
      if let last = points.last, time - last.x > longest { points.append(DataPoint((last.x + time) / 2, .nan)) }
      points.append(DataPoint(time, value))
    }
    return points
  }
}

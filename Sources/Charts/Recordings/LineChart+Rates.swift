package import Analysis
package import Recordings

extension LineChart {
  /// The heart rates from the sensors so far, during a running trial.
  ///
  /// - Parameters:
  ///   - sensors: the rates, by sensor name.
  ///   - sounds: the measured sounds so far.
  ///   - clip: the label of the sound.
  ///   - window: the displayed time, in seconds since the trial's zero.
  ///   - now: the present, which ends the shading of a sound that is still playing.
  /// - Returns: the chart.
  package static func heartRates(
    _ sensors: [(name: String, rates: HeartRates)], sounds: [TrialFacts.Sound], clip: String?,
    window: ClosedRange<Double>, now: Double
  ) -> LineChart {
    let label = clip ?? "sound"
    let heard = sounds.filter { $0.onset < window.upperBound && ($0.offset ?? .infinity) > window.lowerBound }
    let open = heard.filter { $0.offset == nil }
    // A sensor without rates in the window may have delivered some earlier.
    let isSilent = sensors.contains { !$0.rates.times.isEmpty }
    return LineChart(
      Heading(noDataText: isSilent ? "No heart rate in the time that is shown" : "No heart rate yet"),
      plots: sensors.map { LineChart.Plot($0.name, $0.rates.points) },
      horizontal: HorizontalAxis(HorizontalAxis.sinceStart.title, scale: .elapsed, range: window),
      vertical: .heartRate,
      annotations: Annotations(
        stimuli: heard.filter { $0.offset != nil }.map {
          StimulusMark(onset: $0.onset, offset: $0.offset, label: label)
        },
        spans: open.map { ShadedSpan(from: $0.onset, to: max($0.onset, now), label: label) },
        instants: open.map { MarkedInstant(at: $0.onset, label: "onset") }))
  }
}

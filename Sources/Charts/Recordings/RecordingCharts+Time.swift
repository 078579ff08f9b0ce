import Analysis
import Basics
import Recordings

extension RecordingCharts {
  /// The heart rate over time, with the stimulus shaded, its onset and offset marked, and gaps left open.
  package var heartRate: LineChart {
    let fromBeats = source == .intervals
    let words = fromBeats ? ["from beat to beat"] + beatsCaption : ["as the sensor said"] + correctionsCaption
    let points = ratePoints
    return LineChart(
      heading("Heart rate", points.isEmpty ? [] : words, noData: noData),
      plots: [LineChart.Plot("heart rate", points)], horizontal: time, vertical: .heartRate,
      annotations: Annotations(
        stimuli: stimuli,
        references: analysed.meanBeforeEvent.map {
          [ReferenceLine(value: $0, label: "mean before onset \($0.fixed(1))")]
        } ?? []))
  }

  /// The intervals over time; those changed by people or by artefact correction are marked.
  package var tachogram: Tachogram {
    Tachogram(
      heading("Intervals between beats", beatsCaption, noData: noIntervals), intervals: tachogramIntervals,
      horizontal: time, annotations: Annotations(stimuli: stimuli))
  }

  /// The range of the heart rate in each of at most 30 intervals of a round length, with the stimulus shaded.
  package var ranges: RangeChart {
    ranges { TimeBins(from: $0, to: $1) }
  }

  /// The range of the heart rate in each time interval, with the stimulus shaded.
  ///
  /// - Parameter width: the length of an interval in seconds.
  /// - Returns: the chart.
  /// - Throws: ``TooManyIntervals`` if the length is too short for a picture.
  package func ranges(width: Double) throws(TooManyIntervals) -> RangeChart {
    try ranges { (first, last) throws(TooManyIntervals) in try TimeBins(from: first, to: last, width: width) }
  }

  private func ranges<Failure: Error>(
    _ bins: (_ first: Double, _ last: Double) throws(Failure) -> TimeBins
  ) throws(Failure) -> RangeChart {
    let title = "Range of heart rate"
    // Beyond 1e290, differences between times may overflow.
    let points = ratePoints.filter { $0.y.isFinite && $0.x.magnitude <= 1e290 }
    let ends = points.map(\.x) + stimuli.flatMap { [$0.onset, $0.offset ?? $0.onset] }.map(drawn)
    guard let first = ends.min(), let last = ends.max(), !points.isEmpty else {
      return RangeChart(heading(title, [], noData: noData), plots: [], intervals: .named([]), vertical: .heartRate)
    }
    let bins = try bins(first, last)
    var ranges = [ValueRange](repeating: .unset, count: bins.count)
    for point in points {
      let index = bins.index(of: point.x)
      let known = ranges[index]
      ranges[index] =
        known.isUnset
        ? ValueRange(point.y) : ValueRange(min(known.minimum, point.y), max(known.maximum, point.y))
    }
    return RangeChart(
      heading(title, ["lowest to highest of every \(TimeBins.text(bins.width))"] + correctionsCaption, noData: noData),
      plots: [RangeChart.Plot("heart rate", ranges)], intervals: .even(from: bins.start, length: bins.width),
      horizontal: HorizontalAxis(
        time.title, scale: .elapsed, range: bins.start...(bins.start + Double(bins.count) * bins.width)),
      vertical: .heartRate, annotations: Annotations(stimuli: stimuli))
  }

  /// Heart rates at their times, with a NaN in each gap.
  var ratePoints: [DataPoint] {
    source == .intervals ? series?.points { 60_000 / $0 } ?? [] : recording.rates.points
  }

  private var tachogramIntervals: [Tachogram.Interval] {
    guard let series else { return [] }
    let raw = beats.raw
    var place = 0
    return series.points { $0 }.map { point in
      while place < raw.count, raw.ends[place] < point.x - 1e-6 { place += 1 }
      let isRecorded =
        place < raw.count && (raw.ends[place] - point.x).magnitude < 1e-6
        && (raw.intervals[place] - point.y).magnitude < 1e-6 && !raw.settled.contains(place)
      return Tachogram.Interval(
        time: point.x, milliseconds: point.y, isCorrected: point.y.isFinite && !isRecorded)
    }
  }

  var noData: String {
    recording.trial == nil ? "No heart data" : "No heart data were recorded in this trial"
  }

  var noIntervals: String {
    recording.isEmpty ? noData : "The sensor gave heart rates and no intervals between beats"
  }
}

extension HorizontalAxis {
  /// The axis of the time since a trial's zero.
  static let sinceStart = HorizontalAxis("Time since the trial's start", scale: .elapsed)
}

extension IntervalSeries {
  /// A value of each interval at its end, with a NaN in each gap.
  func points(_ value: (Double) -> Double) -> [DataPoint] {
    var points: [DataPoint] = []
    points.reserveCapacity(count + breaks.count)
    var next = breaks.makeIterator()
    var gap = next.next()
    for index in intervals.indices {
      if index == gap {
        points.append(DataPoint((ends[index - 1] + ends[index]) / 2, .nan))
        gap = next.next()
      }
      points.append(DataPoint(ends[index], value(intervals[index])))
    }
    return points
  }
}

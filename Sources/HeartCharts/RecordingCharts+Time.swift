internal import Analysis
public import Charts
internal import Decimals
internal import Recordings

extension RecordingCharts {
  /// The heart rate over time, with the stimulus shaded, its onset and offset marked, and gaps left open.
  public var heartRate: LineChart {
    let fromBeats = source == .intervals
    let words = fromBeats ? ["from beat to beat"] + beatsCaption : ["as the sensor said"]
    let points = ratePoints
    return LineChart(
      heading("Heart rate", points.isEmpty ? [] : words, noData: noData),
      plots: [LineChart.Plot("heart rate", points)], horizontal: time, vertical: .heartRate, stimuli: stimuli,
      references: baseline.map { [ReferenceLine(value: $0, label: "mean before onset \($0.fixed(1))")] } ?? [])
  }

  /// The intervals over time; those that artefact correction has changed are marked.
  public var tachogram: Tachogram {
    Tachogram(
      heading("Intervals between beats", beatsCaption, noData: noIntervals), intervals: tachogramIntervals,
      stimuli: stimuli, longestJoin: nil, horizontal: time)
  }

  /// The lowest to the highest heart rate of each interval of time, with the stimulus shaded.
  ///
  /// - Parameter width: how long an interval is, in seconds; `nil` takes a round number that gives 30 at most.
  /// - Returns: the chart.
  public func ranges(width: Double? = nil) -> RangeChart {
    let title = "Range of heart rate"
    let points = ratePoints.filter { $0.y.isFinite }
    let ends = points.map(\.x) + stimuli.flatMap { [$0.onset, $0.offset ?? $0.onset] }.map(drawn)
    guard let first = ends.min(), let last = ends.max(), !points.isEmpty else {
      return RangeChart(heading(title, [], noData: noData), plots: [], intervals: [], vertical: .heartRate)
    }
    let bins = TimeBins(from: first, to: last, width: width)
    var ranges = [ValueRange](repeating: .unset, count: bins.count)
    for point in points {
      let index = bins.index(of: point.x)
      let known = ranges[index]
      ranges[index] =
        known.isUnset
        ? ValueRange(point.y) : ValueRange(min(known.minimum, point.y), max(known.maximum, point.y))
    }
    return RangeChart(
      heading(title, ["lowest to highest of every \(TimeBins.text(bins.width))"], noData: noData),
      plots: [RangeChart.Plot("heart rate", ranges)], intervals: bins.names,
      horizontalTitle: "Start of the interval (min:s)", vertical: .heartRate,
      stimuli: stimuli.map {
        StimulusMark(onset: bins.place($0.onset), offset: $0.offset.map(bins.place), label: $0.label)
      })
  }

  /// Heart rates at their times; one that is no number stands where nothing is known.
  var ratePoints: [DataPoint] {
    source == .intervals ? series?.points { 60_000 / $0 } ?? [] : recording.rates.points
  }

  /// The mean heart rate from the recording's beginning to the first onset; `nil` where less than half of it is known.
  private var baseline: Double? {
    let track = track
    guard let onset = stimuli.first?.onset, let start = track.spans.first?.start, onset > start else { return nil }
    let (rate, coverage) = track.mean(from: start, to: onset)
    return coverage >= Coverage.least ? rate : nil
  }

  private var tachogramIntervals: [Tachogram.Interval] {
    guard let series else { return [] }
    let raw = beats.raw
    var place = 0
    return series.points { $0 }.map { point in
      while place < raw.count, raw.ends[place] < point.x - 1e-6 { place += 1 }
      let isRecorded =
        place < raw.count && (raw.ends[place] - point.x).magnitude < 1e-6
        && (raw.intervals[place] - point.y).magnitude < 1e-6
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

extension IntervalSeries {
  /// A value of each interval at its end; one that is no number stands in each gap.
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

/// Intervals of time of one length, side by side.
struct TimeBins {
  let start: Double
  let width: Double
  let count: Int

  /// Intervals that cover the time between two instants; they begin at multiples of their length.
  init(from first: Double, to last: Double, width wanted: Double?) {
    let widths: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400]
    width = wanted ?? widths.first { (last - first) / $0 <= 29 } ?? ((last - first) / 29).rounded(.up)
    start = (first / width).rounded(.down) * width
    count = Int(((last - start) / width).rounded(.down)) + 1
  }

  func index(of time: Double) -> Int { min(max(0, Int((time - start) / width)), count - 1) }

  /// Where a time lies on an axis whose intervals have their middles at 0, 1, 2 ….
  func place(_ time: Double) -> Double { (time - start) / width - 0.5 }

  /// A length as people say it: `10 s`, `2 min`.
  static func text(_ width: Double) -> String {
    let (value, unit) = width < 60 ? (width, "s") : (width / 60, "min")
    return "\(number(value)) \(unit)"
  }

  /// A number of seconds or minutes, in tenths where it is not whole.
  static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? value.fixed(1)
  }

  /// When each begins: `1:30`.
  var names: [String] {
    (0..<count).map { index in
      let whole = Int((start + Double(index) * width).rounded())
      let (sign, second) = (whole < 0 ? "−" : "", Int(whole.magnitude))
      func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
      let minutes = second < 3600 ? "\(second / 60)" : "\(second / 3600):\(two(second / 60 % 60))"
      return "\(sign)\(minutes):\(two(second % 60))"
    }
  }
}

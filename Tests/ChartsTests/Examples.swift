import Basics

@testable import Charts

/// One chart of each kind, filled by a seeded generator: what goldens, pictures and properties are made of.
enum Examples {
  static let names = [
    "line", "range", "range-marks", "range-time", "range-groups", "pie", "tachogram", "poincare", "spectrum",
    "response",
    "daily", "no-data",
  ]

  static func chart(_ name: String) -> any Chart {
    switch name {
    case "line": line
    case "range": range(isConnected: true)
    case "range-marks": range(isConnected: false)
    case "range-time": rangeOverTime
    case "range-groups": rangeOfGroups
    case "pie": pie
    case "tachogram": tachogram
    case "poincare": poincare
    case "spectrum": spectrum
    case "response": response
    case "daily": daily
    case "scripts": scripts
    case "day": day
    default: LineChart(Heading(title: "Heart rate", subtitle: "Participant p01"), plots: [], vertical: .heartRate)
    }
  }

  static var line: LineChart {
    var noise = Noise(seed: 1)
    let points = (0..<120).map { second -> DataPoint in
      let response = second > 34 && second < 70 ? 6.0 : 0
      return DataPoint(Double(second), 68 + response + 3 * noise.wave(second, period: 17) + noise.next(within: 1.5))
    }
    return LineChart(
      Heading(title: "Heart rate while calm_preview_1 sounded", subtitle: "Participant p01, trial 3 of 12"),
      plots: [LineChart.Plot("heart rate", points.map { (82...93).contains($0.x) ? DataPoint($0.x, .nan) : $0 })],
      horizontal: .elapsedTime, vertical: .heartRate,
      annotations: Annotations(
        stimuli: [StimulusMark(onset: 30.02, offset: 60.02, label: "calm_preview_1")],
        references: [ReferenceLine(value: 67, label: "baseline 67")]))
  }

  static func range(isConnected: Bool) -> RangeChart {
    var noise = Noise(seed: 2)
    func ranges(_ middle: Double) -> [ValueRange] {
      (0..<8).map { index in
        if index == 5 { return .unset }
        let centre = middle + noise.next(within: 5)
        return ValueRange(centre - 6 - noise.next(within: 3).magnitude, centre + 8 + noise.next(within: 6).magnitude)
      }
    }
    return RangeChart(
      Heading(title: "Heart rate by clip", subtitle: "Lowest to highest of each trial"),
      plots: [RangeChart.Plot("calm", ranges(64)), RangeChart.Plot("energetic", ranges(76))],
      intervals: .named((1...8).map { "trial \($0)" }), vertical: .heartRate, drawsConnectedRanges: isConnected,
      annotations: Annotations(references: [ReferenceLine(value: 62, label: "resting 62")]))
  }

  /// Ranges of ten seconds each, with a sound that begins within one of them.
  static var rangeOverTime: RangeChart {
    var noise = Noise(seed: 7)
    let ranges = (0..<12).map { index -> ValueRange in
      let centre = 66 + 4 * noise.wave(index, period: 6)
      return index == 8 ? .unset : ValueRange(centre, centre + (index == 3 ? 0.01 : 9 + noise.next(within: 4)))
    }
    return RangeChart(
      Heading(title: "Range of heart rate"), plots: [RangeChart.Plot("heart rate", ranges)],
      intervals: .even(from: 0, length: 10), horizontal: .elapsedTime, vertical: .heartRate,
      annotations: Annotations(stimuli: [StimulusMark(onset: 33.1, offset: 63.1, label: "calm")]))
  }

  static var rangeOfGroups: RangeChart {
    var noise = Noise(seed: 8)
    let groups = [("calm", 5), ("energetic", 4), ("none", 1)].map { name, count in
      RangeChart.Group(name, (1...count).map { "p\($0)" })
    }
    return RangeChart(
      Heading(title: "Range of heart rate by trial"),
      plots: [
        RangeChart.Plot(
          "heart rate", (0..<10).map { _ in ValueRange(60 + noise.next(within: 5), 85 + noise.next(within: 9)) })
      ],
      intervals: .grouped(groups), horizontal: HorizontalAxis("Trial"), vertical: .heartRate)
  }

  static var pie: PieChart {
    PieChart(
      Heading(title: "Verdicts of 212 trials"),
      segments: [
        PieChart.Segment("good", 181), PieChart.Segment("suspect: a gap in the heart data", 17),
        PieChart.Segment("suspect: resampled", 9), PieChart.Segment("bad", 4), PieChart.Segment("recovered", 1),
      ],
      centreTitle: "212", centreText: "trials")
  }

  static var intervals: [Tachogram.Interval] {
    var noise = Noise(seed: 3)
    var time = 0.0
    return (0..<180).map { beat in
      let length =
        beat == 71
        ? 1430 : 880 + 45 * noise.wave(beat, period: 5) + 30 * noise.wave(beat, period: 31) + noise.next(within: 18)
      time += length / 1000
      return Tachogram.Interval(time: time, milliseconds: length, isCorrected: beat == 40 || beat == 41 || beat == 120)
    }
  }

  static var tachogram: Tachogram {
    Tachogram(
      Heading(title: "RR intervals", subtitle: "3 of 180 corrected"), intervals: intervals,
      annotations: Annotations(stimuli: [StimulusMark(onset: 60, offset: 120, label: "happy_preview_2")]))
  }

  static var poincare: PoincarePlot {
    PoincarePlot(
      Heading(title: "Poincaré plot"), intervals: intervals.map { $0.milliseconds == 1430 ? .nan : $0.milliseconds },
      ellipse: PoincarePlot.Ellipse(mean: 880, sd1: 31.4, sd2: 46.2))
  }

  static var spectrum: SpectrumChart {
    func peak(_ x: Double, at centre: Double, height: Double, width: Double) -> Double {
      let distance = (x - centre) / width
      return height / (1 + distance * distance)
    }
    let points = (0...256).map { index -> DataPoint in
      let hertz = Double(index) / 512
      let density =
        peak(hertz, at: 0.01, height: 5200, width: 0.012) + peak(hertz, at: 0.1, height: 9800, width: 0.014)
        + peak(hertz, at: 0.26, height: 6400, width: 0.02)
      return DataPoint(hertz, density)
    }
    return SpectrumChart(
      Heading(title: "Spectrum of the RR intervals", subtitle: "Welch, 4 Hz, Hann windows of 256 s"), points: points)
  }

  static var response: ResponseChart {
    var noise = Noise(seed: 4)
    func bins(_ size: Double) -> [ResponseChart.Bin] {
      stride(from: -10.0, through: 50, by: 2).map { time in
        let rise = time < 0 ? 0 : time < 30 ? min(1, time / 8) : max(0, 1 - (time - 30) / 12)
        let mean = size * rise + noise.next(within: 0.35)
        let half = 0.7 + 0.5 * rise
        return ResponseChart.Bin(time: time, mean: mean, band: ValueRange(mean - half, mean + half))
      }
    }
    return ResponseChart(
      Heading(title: "Response to the clip", subtitle: "Mean of 24 participants, 95 % confidence"),
      plots: [
        ResponseChart.Plot("energetic", bins(5.2)), ResponseChart.Plot("calm", bins(-2.4)),
        ResponseChart.Plot("silence", bins(0.2)),
      ],
      annotations: Annotations(
        stimuli: [StimulusMark(onset: 0, offset: 30, label: "stimulus")],
        references: [ReferenceLine(value: 0, label: "baseline")]))
  }

  static var daily: DailyChart {
    var noise = Noise(seed: 5)
    // From 1 November 2026; two days without a recording.
    let days = (0..<30).filter { $0 != 11 && $0 != 12 }.map { day -> DailyChart.Day in
      let average = 70 + 4 * noise.wave(day, period: 7) + noise.next(within: 2)
      return DailyChart.Day(
        number: 20_758 + day,
        range: ValueRange(average - 14 - noise.next(within: 3).magnitude, average + 45 + noise.next(within: 20)),
        average: average)
    }
    return DailyChart(
      Heading(title: "Heart rate by day"), days: days,
      annotations: Annotations(references: [ReferenceLine(value: 60, label: "60")]))
  }
}

/// Numbers that are the same in every run.
struct Noise {
  private var generator: Xoshiro256StarStar

  init(seed: UInt64) { generator = Xoshiro256StarStar(seed: seed) }

  mutating func next(within limit: Double) -> Double {
    limit * (Double(generator.next() >> 11) / 0x1p52 - 1)
  }

  /// A triangle wave: no sine, whose last digit may differ between C libraries.
  func wave(_ place: Int, period: Int) -> Double {
    let part = Double(place % period) / Double(period)
    return part < 0.5 ? 4 * part - 1 : 3 - 4 * part
  }
}

extension Examples {
  /// Words in several scripts, read in both directions.
  static var scripts: LineChart {
    var chart = line
    chart.heading.title = "معدل ضربات القلب أثناء الموسيقى"
    chart.heading.subtitle = "播放音乐时的心率 · हृदय गति · Пульс · Καρδιακός ρυθμός · ❤️🎵"
    chart.vertical.title = "心率（次/分）"
    chart.horizontal.title = "زمن"
    chart.annotations.stimuli = [StimulusMark(onset: 30, offset: 60, label: "平静的音乐 🎧")]
    chart.annotations.references = [ReferenceLine(value: 67, label: "خط الأساس")]
    chart.plots.append(LineChart.Plot("दूसरा", chart.plots[0].points.map { DataPoint($0.x, $0.y - 8) }))
    chart.plots[0].name = "शांत"
    return chart
  }

  /// A day of beats, a second each, with one spike that must be seen.
  static var day: LineChart {
    var noise = Noise(seed: 6)
    let points = (0..<86_400).map { second -> DataPoint in
      let value = 62 + 12 * noise.wave(second, period: 40_000) + noise.next(within: 6)
      return DataPoint(Double(second), second == 50_001 ? 171 : (30_000..<33_000).contains(second) ? .nan : value)
    }
    return LineChart(
      Heading(title: "Heart rate over a day"), plots: [LineChart.Plot("heart rate", points)],
      vertical: .heartRate)
  }
}

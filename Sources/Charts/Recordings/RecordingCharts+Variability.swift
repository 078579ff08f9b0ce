import Analysis
import Basics
import Recordings

extension RecordingCharts {
  /// Each interval over the preceding one, with the ellipse of SD1 and SD2; no pairs are formed across gaps.
  package var poincare: PoincarePlot {
    let intervals = series?.points { $0 }.map(\.y) ?? []
    var ellipse: PoincarePlot.Ellipse?
    var words = beatsCaption
    var notes: [String] = []
    if let analysis {
      let measurements = analysis.measurements([.meanNN, .sd1, .sd2])
      let values = measurements.map(\.value)
      if let mean = values[0], let sd1 = values[1], let sd2 = values[2] {
        ellipse = PoincarePlot.Ellipse(mean: mean, sd1: sd1, sd2: sd2)
        words += shortness(measurements)
        notes = Self.caveats(measurements)
      }
    }
    let isShort = series.map { $0.successiveDifferences.isEmpty } ?? false
    var chart = PoincarePlot(
      heading("Poincaré plot", words, noData: isShort ? "No two intervals follow each other" : noIntervals),
      intervals: intervals, ellipse: ellipse)
    chart.heading.notes = notes
    return chart
  }

  /// The power spectrum of heart rate variability with its bands, over the longest stretch without a gap.
  package var spectrum: SpectrumChart {
    let ranges = [preset.spectrum.vlf, preset.spectrum.lf, preset.spectrum.hf]
    let bands = zip(Self.bands, ranges).map {
      SpectrumChart.Band($0.title, from: $1.lowerBound, to: $1.upperBound)
    }
    let unit = preset.spectrum.isDividedByMaximum ? "relative" : "ms²/Hz"
    var chart = SpectrumChart(
      heading("Spectrum of heart-rate variability", [], noData: noIntervals), points: [], bands: bands,
      vertical: Axis("Power density (\(unit))"))
    guard let analysis else { return chart }
    guard let spectrum = analysis.powerSpectrum else {
      if let reason = analysis.measurement(.hf).missing { chart.heading.noDataText = "\(reason)" }
      return chart
    }
    chart.points = zip(spectrum.frequencies, spectrum.densities).map { DataPoint($0, $1) }
    let stretch = analysis.series.longestStretch
    let part = stretch.count < analysis.series.count ? "the longest stretch of \(stretch.count) intervals" : nil
    let measurements = analysis.measurements(Self.bands)
    let isKnown = measurements.map { $0.value != nil }
    // A band that contains no frequency of the spectrum has no power to shade.
    chart.bands = zip(bands, isKnown).filter(\.1).map(\.0)
    let unknown = zip(bands, isKnown).filter { !$1 }.map(\.0.name)
    chart.heading.subtitle =
      heading(
        "",
        beatsCaption + (part.map { [$0] } ?? []) + ["preset “\(preset.name)”"] + Self.method(measurements)
          + (unknown.isEmpty ? [] : ["no frequency in \(unknown.inWords)"])
          + shortness(measurements.filter { $0.value != nil }),
        noData: ""
      ).subtitle
    chart.heading.notes = Self.caveats(measurements)
    return chart
  }

  private static let bands: [Measure] = [.vlf, .lf, .hf]

  /// The spectral method, as reported with the numbers.
  private static func method(_ measurements: [Measurement]) -> [String] {
    let parameters = measurements.last?.parameters ?? []
    return ["method", "window", "segment"].compactMap { name in
      parameters.first { $0.name == name }.map { name == "method" ? $0.value : "\(name) \($0.value)" }
    }
  }

  /// A remark if the window is shorter than some measures require: `29 s is too short for VLF and LF`.
  private func shortness(_ measurements: [Measurement]) -> [String] {
    // Allow for rounding in the sum of the intervals.
    let short = measurements.filter { one in one.knownSeconds < (one.measure.minSeconds(preset) ?? 0) - 1e-6 }
    guard let seconds = short.map(\.knownSeconds).min() else { return [] }
    return ["\(seconds.fixed(0)) s is too short for \(short.map(\.measure.title).inWords)"]
  }

  /// The caveats of the measurements, without duplicates.
  private static func caveats(_ measurements: [Measurement]) -> [String] {
    var sentences: [String] = []
    for measurement in measurements {
      let own = measurement.caveats.map(\.description) + [measurement.missing?.description].compactMap(\.self)
      for sentence in own.map({ "\(measurement.measure.title): \($0)" }) where !sentences.contains(sentence) {
        sentences.append(sentence)
      }
    }
    return sentences
  }

  private var analysis: HeartAnalysis? {
    guard series != nil else { return nil }
    return HeartAnalysis(beats, preset: preset)
  }
}

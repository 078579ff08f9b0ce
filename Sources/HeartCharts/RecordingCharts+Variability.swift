internal import Analysis
public import Charts
internal import Recordings

extension RecordingCharts {
  /// Each interval over the one before it, with the ellipse of SD1 and SD2; over a gap none follows another.
  public var poincare: PoincarePlot {
    let intervals = series?.points { $0 }.map(\.y) ?? []
    var ellipse: PoincarePlot.Ellipse?
    if let analysis {
      let values = analysis.measurements([.meanNN, .sd1, .sd2]).map(\.value)
      if let mean = values[0], let sd1 = values[1], let sd2 = values[2] {
        ellipse = PoincarePlot.Ellipse(mean: mean, sd1: sd1, sd2: sd2)
      }
    }
    let isShort = series.map { $0.successiveDifferences.isEmpty } ?? false
    return PoincarePlot(
      heading(
        "Poincaré plot", beatsCaption, noData: isShort ? "No two intervals follow each other" : noIntervals),
      intervals: intervals, ellipse: ellipse)
  }

  /// The power of heart-rate variability by frequency, with its bands, of the longest stretch without a gap.
  public var spectrum: SpectrumChart {
    let bands = [("VLF", preset.spectrum.vlf), ("LF", preset.spectrum.lf), ("HF", preset.spectrum.hf)].map {
      SpectrumChart.Band($0, from: $1.lowerBound, to: $1.upperBound)
    }
    let unit = preset.spectrum.isDividedByMaximum ? "relative" : "ms²/Hz"
    var chart = SpectrumChart(
      heading("Spectrum of heart-rate variability", [], noData: noIntervals), points: [], bands: bands,
      vertical: Axis("Power density (\(unit))"))
    guard let analysis else { return chart }
    guard let spectrum = analysis.powerSpectrum else {
      if case .missing(let reason) = analysis.measurement(.hf).outcome { chart.heading.noDataText = reason }
      return chart
    }
    chart.points = zip(spectrum.frequencies, spectrum.densities).map { DataPoint($0, $1) }
    let stretch = analysis.series.longestStretch
    let part = stretch.count < analysis.series.count ? "the longest stretch of \(stretch.count) intervals" : nil
    chart.heading.subtitle =
      heading(
        "", beatsCaption + (part.map { [$0] } ?? []) + ["preset “\(preset.name)”"], noData: ""
      ).subtitle
    return chart
  }

  private var analysis: HeartAnalysis? {
    guard series != nil else { return nil }
    return HeartAnalysis(beats, preset: preset)
  }
}

import Basics

/// The power spectrum of heart rate variability, with its frequency bands.
package struct SpectrumChart: AxesChart {
  /// A named frequency band.
  struct Band: Hashable, Sendable {
    var name: String
    /// The lower limit in hertz.
    var from: Double
    /// The upper limit in hertz.
    var to: Double

    init(_ name: String, from: Double, to: Double) {
      self.name = name
      self.from = min(from, to)
      self.to = max(from, to)
    }

    /// The limits as text: `0.04–0.15 Hz`.
    var limits: String { "\(Self.text(from))–\(Self.text(to)) Hz" }

    /// A limit with at most four decimals, which the VLF band needs.
    static func text(_ limit: Double) -> String {
      guard limit.isFinite, limit.magnitude < 1e6 else { return "\(limit)" }
      var text = limit.fixed(4)
      while text.hasSuffix("0") { text.removeLast() }
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// The VLF, LF and HF bands of the Task Force of ESC and NASPE (1996).
    static let standard = [
      Band("VLF", from: 0.0033, to: 0.04), Band("LF", from: 0.04, to: 0.15), Band("HF", from: 0.15, to: 0.4),
    ]
  }

  /// The text around the data.
  package var heading: Heading
  /// Power densities at frequencies in hertz.
  var points: [DataPoint]
  /// The bands; the area under each has its own colour.
  var bands: [Band]
  /// The frequency axis; up to 0.5 Hz by default.
  package var horizontal: HorizontalAxis
  /// The axis of the power density.
  package var vertical: Axis
  /// The annotations drawn with the data.
  package var annotations: Annotations

  init(
    _ heading: Heading = Heading(), points: [DataPoint], bands: [Band] = Band.standard,
    horizontal: HorizontalAxis = HorizontalAxis("Frequency (Hz)", range: 0...0.5),
    vertical: Axis = Axis("Power density (ms²/Hz)"), annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    (self.points, self.bands) = (points, bands)
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// The content, ready for layout.
  package var figure: Figure {
    var axes = AxesFigure(self)
    axes.startsAtZero = true
    let points = points.filter { $0.isPlottable }.sorted { $0.x < $1.x }
    for (index, band) in bands.enumerated() {
      axes.bands.append(
        NamedBand(from: band.from, to: band.to, label: band.name, ink: .surface(index + 1), limits: band.limits))
      axes.layers.append(.band(Self.surface(under: points, band), series: index + 1))
    }
    axes.layers.append(.line(points, series: 0, marks: .none))
    let words = Summary(kind: "Spectrum", self)
    let highest = points.max { $0.y < $1.y }
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text([
        words.values(points.map { $0.y }, name: ""),
        highest.map { "The highest is at \(Summary.number($0.x)) Hz." } ?? "",
        bands.isEmpty || points.isEmpty
          ? ""
          : "Bands: "
            + bands.map { "\($0.name) \(Band.text($0.from)) to \(Band.text($0.to)) Hz" }.joined(separator: ", ") + ".",
      ]))
  }

  /// The area under the curve within a band, cut at the band's limits.
  private static func surface(under points: [DataPoint], _ band: Band) -> [RangeAt] {
    func height(at x: Double) -> Double? {
      for (one, other) in zip(points, points.dropFirst()) where one.x <= x && x <= other.x && one.x < other.x {
        return one.y + (other.y - one.y) * (x - one.x) / (other.x - one.x)
      }
      return nil
    }
    var surface = points.filter { $0.x > band.from && $0.x < band.to }
    if let first = height(at: band.from) { surface.insert(DataPoint(band.from, first), at: 0) }
    if let last = height(at: band.to) { surface.append(DataPoint(band.to, last)) }
    return surface.map { RangeAt(x: $0.x, range: ValueRange(0, $0.y)) }
  }
}

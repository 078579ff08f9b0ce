import Glibc

/// Each interval between heartbeats over the preceding one, with the ellipse of SD1 and SD2.
///
/// The ellipse is centred on the line of identity at the mean interval; its semi-axes are SD1 across and SD2 along that
/// line (Brennan, Palaniswami and Kamen 2001). One millisecond has the same length on both axes.
package struct PoincarePlot: AxesChart {
  /// The parameters of the ellipse, in milliseconds.
  struct Ellipse: Hashable, Sendable {
    /// The mean of the intervals.
    var mean: Double
    /// The standard deviation across the line of identity.
    var sd1: Double
    /// The standard deviation along it.
    var sd2: Double
  }

  /// The text around the data.
  package var heading: Heading
  /// The intervals in order, in milliseconds; NaN marks missing beats, across which no pair is formed.
  var intervals: [Double]
  /// The ellipse; not drawn if `nil`.
  var ellipse: Ellipse?
  /// The axis of the earlier interval; both axes cover the union of both ranges.
  package var horizontal: HorizontalAxis
  /// The axis of the later interval.
  package var vertical: Axis
  /// The annotations drawn with the data.
  package var annotations: Annotations

  init(
    _ heading: Heading = Heading(), intervals: [Double], ellipse: Ellipse? = nil,
    horizontal: HorizontalAxis = HorizontalAxis("RR interval n (ms)"),
    vertical: Axis = Axis("RR interval n + 1 (ms)", digits: 1), annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    self.intervals = intervals
    self.ellipse = ellipse
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// The content, ready for layout.
  package var figure: Figure {
    var axes = AxesFigure(self)
    axes.isSquare = true
    let range = [horizontal.range, vertical.range].compactMap(\.self).reduce(nil as ClosedRange<Double>?) {
      known, next in
      known.map { min($0.lowerBound, next.lowerBound)...max($0.upperBound, next.upperBound) } ?? next
    }
    (axes.x.range, axes.y.range) = (range, range)
    let points = zip(intervals, intervals.dropFirst()).map { DataPoint($0, $1) }.filter { $0.isPlottable }
    var extent = Extent()
    for point in points {
      extent.include(point.x)
      extent.include(point.y)
    }
    axes.layers = [.marks(points, series: 0, isTranslucent: true)]
    var ellipseWords = ""
    if !extent.isEmpty {
      let ends = extent.widened.padded(by: 2)
      let identity = [DataPoint(ends.low, ends.low), DataPoint(ends.high, ends.high)]
      axes.layers.insert(.outline(identity, ink: .axis, dash: [4, 4], isGuide: true), at: 0)
      axes.legend = [LegendEntry(label: "identity", swatch: .outline(.axis, dash: [4, 4]))]
    }
    if let ellipse, ellipse.mean.isPlottable, ellipse.sd1.isPlottable, ellipse.sd2.isPlottable {
      func place(_ along: Double, _ across: Double) -> DataPoint {
        let (x, y) = (along - across, along + across)
        return DataPoint(ellipse.mean + x / 2.squareRoot(), ellipse.mean + y / 2.squareRoot())
      }
      let outline = (0...72).map { step -> DataPoint in
        let angle = Double(step) / 36 * .pi
        return place(ellipse.sd2 * cos(angle), ellipse.sd1 * sin(angle))
      }
      axes.layers += [
        .outline(outline, ink: .series(1), dash: [], isGuide: false),
        .outline([place(0, -ellipse.sd1), place(0, ellipse.sd1)], ink: .series(1), dash: [], isGuide: false),
        .outline([place(-ellipse.sd2, 0), place(ellipse.sd2, 0)], ink: .series(1), dash: [], isGuide: false),
      ]
      ellipseWords = "SD1 \(Self.tenths(ellipse.sd1)) ms, SD2 \(Self.tenths(ellipse.sd2)) ms"
      axes.legend.append(LegendEntry(label: ellipseWords, swatch: .outline(.series(1), dash: [])))
    }
    let words = Summary(kind: "Poincaré plot", self)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(
        points.isEmpty
          ? [] : [words.values(points.map { $0.y }, name: ""), ellipseWords.isEmpty ? "" : ellipseWords + "."]))
  }

  private static func tenths(_ value: Double) -> String { Summary.number((value * 10).rounded() / 10) }
}

/// The content of a chart with two axes.
struct AxesFigure: Sendable {
  var x: HorizontalAxis
  var y: Axis
  /// The names of the positions 0, 1, 2 …, which replace the numbers of the horizontal axis.
  var categories: [String]?
  /// Group names, each under a range of positions.
  var groups: [(name: String, places: ClosedRange<Int>)] = []
  /// Whether one unit has the same length on both axes, which then share one range.
  var isSquare = false
  /// Whether the vertical axis starts at zero.
  var startsAtZero = false
  var layers: [Layer] = []
  var spans: [ShadedSpan]
  /// Names above parts of the horizontal axis; a layer draws their areas.
  var bands: [NamedBand] = []
  var instants: [MarkedInstant]
  var references: [ReferenceLine]
  var legend: [LegendEntry] = []

  init(_ chart: some AxesChart) {
    (x, y) = (chart.horizontal, chart.vertical)
    (spans, instants) = (chart.annotations.shaded, chart.annotations.marked)
    references = chart.annotations.references
  }
}

/// An element of the plot; later ones are drawn over earlier ones.
enum Layer: Sendable {
  /// A line through points, broken at missing values.
  case line([DataPoint], series: Int, marks: LineMarks)
  /// Marks at points, optionally translucent so that overlapping ones remain visible.
  case marks([DataPoint], series: Int, isTranslucent: Bool)
  /// Ranges at positions, with `room` on the axis for each; `lane` is the series' place among `lanes` side by side.
  case ranges([RangeAt], series: Int, lane: Int, lanes: Int, room: Double, isConnected: Bool)
  /// The area between two lines.
  case band([RangeAt], series: Int)
  /// An open or closed line that is not data: an ellipse, the line of identity.
  ///
  /// A guide crosses the whole plot and does not affect the ranges of the axes.
  case outline([DataPoint], ink: Ink, dash: [Double], isGuide: Bool)
}

/// Where a line has marks.
enum LineMarks: Hashable, Sendable {
  case none
  /// At every point, if there are few points; otherwise none.
  case ifRoom
  /// At every point, if there are few points, otherwise at some: lines are then distinguishable without colour.
  ///
  /// In a terminal, where dots have neither shape nor colour, a letter identifies the line.
  case always
  /// As `always`, with a margin in the background colour, over data that are as dark as the line.
  case outlined

  /// The character on the line in a terminal.
  func glyph(series: Int) -> Character? {
    switch self {
    case .none, .ifRoom: nil
    case .always: Unicode.Scalar(UInt32(65 + series % 26)).map(Character.init)
    case .outlined: Self.dotGlyph
    }
  }

  /// The character for a mark in a terminal, drawn over the dots.
  static let dotGlyph: Character = "o"
}

/// A name above a part of the horizontal axis.
struct NamedBand: Hashable, Sendable {
  let from: Double
  let to: Double
  let label: String
  let ink: Ink
  /// The limits as text, shown beside the name if there is room.
  let limits: String
}

/// A range at a position.
struct RangeAt: Sendable {
  let x: Double
  let range: ValueRange
}

/// An entry of a legend.
struct LegendEntry: Hashable, Sendable {
  enum Swatch: Hashable, Sendable {
    case line(series: Int, marks: LineMarks)
    case mark(series: Int)
    case surface(Ink)
    case reference
    case instant
    case outline(Ink, dash: [Double])
  }

  let label: String
  let swatch: Swatch
}

extension AxesFigure {
  /// Whether any data lie within the horizontal axis.
  var hasData: Bool {
    let range = categories == nil ? x.range.flatMap { $0.isUsable ? $0 : nil } : nil
    func sees(_ x: Double) -> Bool { x.isPlottable && range?.contains(x) != false }
    return layers.contains { layer in
      switch layer {
      case .line(let points, _, _), .marks(let points, _, _): points.contains { $0.isPlottable && sees($0.x) }
      case .ranges(let ranges, _, _, _, _, _), .band(let ranges, _): ranges.contains { sees($0.x) && !$0.range.isUnset }
      case .outline: false
      }
    }
  }

  /// The range of the horizontal axis.
  var horizontalExtent: Extent {
    if let categories { return Extent(-0.5...(Double(max(1, categories.count)) - 0.5)) }
    if let range = x.range, range.isUsable { return Extent(range) }
    var extent = Extent()
    for layer in layers {
      switch layer {
      case .line(let points, _, _), .marks(let points, _, _):
        for point in points where point.isPlottable { extent.include(point.x) }
      case .ranges(let ranges, _, _, _, let room, _):
        for item in ranges where !item.range.isUnset {
          extent.include(item.x - room / 2)
          extent.include(item.x + room / 2)
        }
      case .band(let points, _):
        for point in points where !point.range.isUnset { extent.include(point.x) }
      case .outline(let points, _, _, let isGuide):
        if !isGuide { for point in points where point.isPlottable { extent.include(point.x) } }
      }
    }
    for span in spans {
      extent.include(span.from)
      extent.include(span.to)
    }
    for instant in instants { extent.include(instant.at) }
    return extent.widened
  }

  /// The range that the vertical axis needs for the data within the horizontal one.
  func verticalExtent(within horizontal: Extent) -> Extent {
    if let range = y.range, range.isUsable { return Extent(range) }
    var extent = Extent()
    func sees(_ x: Double) -> Bool { x >= horizontal.low && x <= horizontal.high }
    for layer in layers {
      switch layer {
      case .line(let points, _, _), .marks(let points, _, _):
        for point in points where sees(point.x) { extent.include(point.y) }
      case .ranges(let ranges, _, _, _, _, _), .band(let ranges, _):
        for item in ranges where sees(item.x) { extent.include(item.range) }
      case .outline(let points, _, _, let isGuide):
        for point in points where !isGuide && sees(point.x) { extent.include(point.y) }
      }
    }
    for reference in references { extent.include(reference.value) }
    if extent.isEmpty { return Extent(-1...1) }
    if startsAtZero { extent.include(0) }
    let padded = extent.widened.padded(by: 0.04)
    guard startsAtZero else { return padded }
    // No padding below or above bars that start at zero.
    return Extent((extent.low < 0 ? padded.low : 0)...(extent.high > 0 ? padded.high : 0)).widened
  }
}

/// What is drawn between two axes.
struct AxesFigure: Sendable {
  var x: Axis
  var y: Axis
  /// The names of the places 0, 1, 2 …, which then take the place of the horizontal axis' numbers.
  var categories: [String]?
  /// Whether one unit is equally long on both axes, which then show the same values.
  var isSquare = false
  /// Whether the vertical axis begins at zero.
  var startsAtZero = false
  var layers: [Layer] = []
  var spans: [ShadedSpan] = []
  /// Names over parts of the horizontal axis whose surfaces are drawn by a layer.
  var bands: [NamedBand] = []
  var instants: [MarkedInstant] = []
  var references: [ReferenceLine] = []
  var legend: [LegendEntry] = []
}

/// One thing that is drawn between the axes; later ones lie over earlier ones.
enum Layer: Sendable {
  /// A line through points, open where a value is missing or two points are further apart than `gap`.
  case line([DataPoint], series: Int, gap: Double?, marks: LineMarks)
  /// Marks at points.
  case marks([DataPoint], series: Int, opacity: Double)
  /// Ranges at places; `lane` of `lanes` beside each other.
  case ranges([RangeAt], series: Int, lane: Int, lanes: Int, isConnected: Bool)
  /// A surface between two lines.
  case band([BandPoint], series: Int)
  /// A closed or open line that is no measurement: an ellipse, the line of identity.
  ///
  /// A guide goes through the whole plot and has no say in what the axes show.
  case outline([DataPoint], ink: Ink, dash: [Double], isGuide: Bool)
}

/// Whether a line has marks.
enum LineMarks: Sendable {
  case none
  /// At every point, where these are few.
  case ifRoom
  /// At every point, where these are few, else at some: so that lines differ even without colour.
  case always
  /// As `always`, with a margin in the colour of the ground, over something that is as dark as the line.
  case outlined
}

/// A name over a part of the horizontal axis.
struct NamedBand: Hashable, Sendable {
  let from: Double
  let to: Double
  let label: String
  let ink: Ink
}

/// A range at a place.
struct RangeAt: Sendable {
  let x: Double
  let range: ValueRange
}

/// The limits of a band at a place.
struct BandPoint: Sendable {
  let x: Double
  let range: ValueRange
}

/// One line of a legend.
struct LegendEntry: Hashable, Sendable {
  enum Swatch: Hashable, Sendable {
    case line(series: Int, showsMark: Bool)
    case mark(series: Int)
    case surface(Ink)
    case reference
    case instant
    case outline(Ink, dash: [Double])
  }

  let label: String
  let swatch: Swatch
}

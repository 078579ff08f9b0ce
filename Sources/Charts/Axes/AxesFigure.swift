/// What is drawn between two axes.
struct AxesFigure: Sendable {
  var x: HorizontalAxis
  var y: Axis
  /// The names of the places 0, 1, 2 …, which then take the place of the horizontal axis' numbers.
  var categories: [String]?
  /// Names under several places that belong together; from the first of them to the last.
  var groups: [(name: String, places: ClosedRange<Int>)] = []
  /// Whether one unit is equally long on both axes, which then show the same values.
  var isSquare = false
  /// Whether the vertical axis begins at zero.
  var startsAtZero = false
  var layers: [Layer] = []
  var spans: [ShadedSpan]
  /// Names over parts of the horizontal axis whose surfaces are drawn by a layer.
  var bands: [NamedBand] = []
  var instants: [MarkedInstant]
  var references: [ReferenceLine]
  var legend: [LegendEntry] = []

  /// The axes of a chart, with what is marked on them.
  init(_ chart: some AxesChart) {
    (x, y) = (chart.horizontal, chart.vertical)
    (spans, instants) = (chart.annotations.shaded, chart.annotations.marked)
    references = chart.annotations.references
  }
}

/// One thing that is drawn between the axes; later ones lie over earlier ones.
enum Layer: Sendable {
  /// A line through points, open where a value is missing.
  case line([DataPoint], series: Int, marks: LineMarks)
  /// Marks at points, through which others shine where many lie upon each other.
  case marks([DataPoint], series: Int, isTranslucent: Bool)
  /// Ranges at places, each with so much room on the axis; `lane` of `lanes` beside each other.
  case ranges([RangeAt], series: Int, lane: Int, lanes: Int, room: Double, isConnected: Bool)
  /// A surface between two lines.
  case band([RangeAt], series: Int)
  /// A closed or open line that is no measurement: an ellipse, the line of identity.
  ///
  /// A guide goes through the whole plot and has no say in what the axes show.
  case outline([DataPoint], ink: Ink, dash: [Double], isGuide: Bool)
}

/// Whether a line has marks.
enum LineMarks: Hashable, Sendable {
  case none
  /// At every point, where these are few.
  case ifRoom
  /// At every point, where these are few, else at some: so that lines differ even without colour.
  ///
  /// In a terminal, whose dots have neither shape nor colour, a letter stands for the line.
  case always
  /// As `always`, with a margin in the colour of the ground, over something that is as dark as the line.
  case outlined

  /// What stands on the line in a terminal.
  func glyph(series: Int) -> Character? {
    switch self {
    case .none, .ifRoom: nil
    case .always: Unicode.Scalar(UInt32(65 + series % 26)).map(Character.init)
    case .outlined: Self.dotGlyph
    }
  }

  /// A mark in a terminal, over what is drawn with dots.
  static let dotGlyph: Character = "o"
}

/// A name over a part of the horizontal axis.
struct NamedBand: Hashable, Sendable {
  let from: Double
  let to: Double
  let label: String
  let ink: Ink
  /// From where to where, as people write it; stands beside the name where there is room.
  let limits: String
}

/// A range at a place.
struct RangeAt: Sendable {
  let x: Double
  let range: ValueRange
}

/// One line of a legend.
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

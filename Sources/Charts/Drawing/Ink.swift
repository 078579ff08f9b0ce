/// The semantic colour of an element, which the theme maps to an actual colour.
enum Ink: Hashable, Sendable {
  case ground
  case text
  case faintText
  case grid
  case axis
  case span
  case instant
  case reference
  case series(Int)
  /// A translucent area of a series.
  case surface(Int)
  /// A series whose marks overlap.
  case translucent(Int)

  /// The class name in a style sheet.
  var name: String {
    switch self {
    case .ground: "ground"
    case .text: "text"
    case .faintText: "faint"
    case .grid: "grid"
    case .axis: "axis"
    case .span: "span"
    case .instant: "instant"
    case .reference: "reference"
    case .series(let index): "series\(index % Theme.seriesCount)"
    case .surface(let index): "surface\(index % Theme.seriesCount)"
    case .translucent(let index): "translucent\(index % Theme.seriesCount)"
    }
  }
}

/// A colour in the sRGB colour space.
struct Colour: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  /// The opacity from 0 (transparent) to 1 (opaque).
  let opacity: Double

  init(_ hex: UInt32, opacity: Double = 1) {
    red = UInt8(hex >> 16 & 255)
    green = UInt8(hex >> 8 & 255)
    blue = UInt8(hex & 255)
    self.opacity = opacity
  }

  func withOpacity(_ opacity: Double) -> Colour {
    Colour(number, opacity: opacity)
  }

  /// The colour as a number: `0x0072b2`.
  var number: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// The colour as text: `#0072b2`.
  var hex: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

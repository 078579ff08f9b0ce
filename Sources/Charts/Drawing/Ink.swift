/// What something is drawn with, by what it means; the theme says which colour that is.
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
  /// A surface that belongs to a series and lets what is under it shine through.
  case surface(Int)
  /// A series whose marks lie upon each other.
  case translucent(Int)

  /// Its name in a style sheet.
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

/// A colour of the sRGB space.
struct Colour: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  /// From 0, unseen, to 1, solid.
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

  /// `0x0072b2`.
  var number: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// `#0072b2`.
  var hex: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

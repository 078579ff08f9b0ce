/// A reduced picture of a film: the means of red, green and blue in 16 columns and 12 rows.
struct Picture: Sendable {
  /// The number of columns.
  static let columns = 16
  /// The number of rows.
  static let rows = 12
  /// The number of bytes: three colours of 16 bits for each place.
  static let size = columns * rows * 6
  /// A place at this level, of 255, is saturated.
  static let saturation = 250.0

  /// The means of red, green and blue over the whole picture, from 0 to 255.
  let colours: SIMD4<Double>
  /// The standard deviation of the brightness between places, as a share of its mean; 0 for a black picture.
  let unevenness: Double
  /// The share of places with a saturated colour, for red, green and blue.
  let saturated: SIMD4<Double>

  /// The brightness: the mean of the colours, from 0 to 255.
  var brightness: Double { (colours.x + colours.y + colours.z) / 3 }

  /// Reads the bytes of a picture, row by row, each place as red, green and blue of 16 bits with the low byte first; `nil`
  /// for another number of bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    let count = Double(Self.columns * Self.rows)
    var (sum, saturated) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var (brightness, squares) = (0.0, 0.0)
    for place in stride(from: 0, to: bytes.count, by: 6) {
      var colours = SIMD4<Double>.zero
      for colour in 0..<3 {
        // 65535 is the level 255.
        let level = Double(UInt16(bytes[place + 2 * colour]) | UInt16(bytes[place + 2 * colour + 1]) << 8) / 257
        colours[colour] = level
        if level >= Self.saturation { saturated[colour] += 1 }
      }
      sum += colours
      let mean = colours.sum() / 3
      brightness += mean
      squares += mean * mean
    }
    colours = sum / count
    self.saturated = saturated / count
    let variance = max(0, squares / count - (brightness / count) * (brightness / count))
    unevenness = brightness > 0 ? variance.squareRoot() / (brightness / count) : 0
  }
}

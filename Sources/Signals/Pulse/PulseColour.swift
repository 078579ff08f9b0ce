/// The colour, or mixture of colours, in which the pulse is looked for.
///
/// More blood absorbs more light, so a colour's pulse is its darkening. The mixtures cancel what changes all colours
/// alike, such as movement.
package enum PulseColour: String, Hashable, Sendable, CaseIterable, Codable {
  case blue
  case green
  case red
  /// The plane orthogonal to skin (W. Wang, A. C. den Brinker, S. Stuijk and G. de Haan, "Algorithmic principles of
  /// remote PPG", IEEE Transactions on Biomedical Engineering 64:1479, 2017).
  case pos
  /// Chrominance (G. de Haan and V. Jeanne, "Robust pulse rate from chrominance-based rPPG", IEEE Transactions on
  /// Biomedical Engineering 60:2878, 2013).
  case chrom

  /// The two mixtures of red, green and blue that it balances against each other; `nil` for a single colour.
  fileprivate var mixtures: (SIMD4<Double>, SIMD4<Double>)? {
    switch self {
    case .blue, .green, .red: nil
    case .pos: (SIMD4(0, 1, -1, 0), SIMD4(-2, 1, 1, 0))
    case .chrom: (SIMD4(3, -2, 0, 0), SIMD4(1.5, 1, -1.5, 0))
    }
  }
}

/// Makes one signal, which rises with the volume of blood, of the relative changes of red, green and blue.
///
/// The mixtures of ``PulseColour/pos`` and ``PulseColour/chrom`` are balanced by their standard deviations in a window of
/// 1.6 s around each sample. The papers add up overlapping windows; one window in the middle of whose time the sample lies
/// gives nearly the same, half a window earlier.
struct PulseMixture: Sendable {
  /// The length of the window in which mixtures are balanced, in seconds.
  static let window = 1.6

  let colour: PulseColour
  /// The number of samples by which the output is later than the input.
  let delay: Int

  private var recent: [SIMD2<Double>] = []
  private var sum = SIMD2<Double>.zero
  private var squares = SIMD2<Double>.zero

  /// Creates a mixture.
  ///
  /// - Parameters:
  ///   - colour: the colour.
  ///   - rate: the number of samples per second, in Hz.
  init(_ colour: PulseColour, rate: Double) {
    self.colour = colour
    delay = colour.mixtures == nil ? 0 : Int((Self.window * rate / 2).rounded())
  }

  /// Takes the relative changes of red, green and blue.
  ///
  /// - Returns: the signal ``delay`` samples before; `nil` before enough samples have come.
  mutating func take(_ change: SIMD4<Double>) -> Double? {
    guard let (first, second) = colour.mixtures else {
      return switch colour {
      case .red: -change.x
      case .green: -change.y
      default: -change.z
      }
    }
    let pair = SIMD2((change * first).sum(), (change * second).sum())
    recent.append(pair)
    sum += pair
    squares += pair * pair
    let length = 2 * delay + 1
    guard recent.count >= length else { return nil }
    defer {
      let old = recent[recent.count - length]
      sum -= old
      squares -= old * old
      if recent.count >= 4 * length { recent.removeFirst(recent.count - length) }
    }
    let mean = sum / Double(length)
    let variance = squares / Double(length) - mean * mean
    let ratio = variance.y > 0 ? (max(0, variance.x) / variance.y).squareRoot() : 0
    let middle = recent[recent.count - 1 - delay] - mean
    // POS adds what CHROM subtracts; in POS the pulse darkens, in CHROM it does not.
    return colour == .pos ? -(middle.x + ratio * middle.y) : middle.x - ratio * middle.y
  }

  private init(_ other: PulseMixture) { (colour, delay) = (other.colour, other.delay) }
}

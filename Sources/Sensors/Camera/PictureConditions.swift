import Quantities
import Signals

/// What keeps the pulse from being seen in the latest pictures.
struct PictureConditions: Sendable {
  /// The time over which pictures are judged, in seconds.
  static let window = 3.0
  /// A darker picture shows nothing: the level of its brightest colour, of 255.
  static let darkest = 20.0
  /// A share of saturated places, of the colours that are used, from which on a picture is too bright.
  static let maxSaturated = 0.5
  /// A picture whose brightness differs more than this from place to place is not that of a finger on the lens.
  static let maxUneven = 0.3
  /// A fingertip on the lens lets red through: it has so many times as much of it as the mean of green and blue.
  static let minRed = 1.3
  /// More change of the brightness within the window, as a share of it, is movement; a pulse changes it by a few
  /// hundredths.
  static let maxChange = 0.12
  /// Fewer pictures per second do not show the shape of a beat.
  static let fewest = 12.0

  private let isOfFinger: Bool
  private let colours: [PulseColour]
  private var recent: [(time: Double, picture: Picture)] = []
  private var start: Double?

  /// Creates conditions without pictures.
  ///
  /// - Parameters:
  ///   - isOfFinger: whether a finger is to cover the lens.
  ///   - colours: the colours in which the pulse is looked for.
  init(isOfFinger: Bool, colours: [PulseColour]) { (self.isOfFinger, self.colours) = (isOfFinger, colours) }

  /// Adds a picture.
  mutating func take(_ picture: Picture, at time: Double) {
    start = start ?? time
    recent.append((time, picture))
    recent.removeAll { $0.time <= time - Self.window }
  }

  /// Whether what changes in the pictures cannot be taken for a pulse: no finger covers the lens, or there are too few.
  var excludesPulse: Bool { isWithoutFinger || isTooSlow }

  private var isTooSlow: Bool {
    guard let last = recent.last, let start, case let length = min(Self.window, last.time - start), length >= 1 else {
      return false
    }
    return Double(recent.count) < Self.fewest * length
  }

  private var isWithoutFinger: Bool {
    guard isOfFinger, !recent.isEmpty else { return false }
    return recent.reduce(0) { $0 + $1.picture.unevenness } / Double(recent.count) > Self.maxUneven
  }

  /// Why there is no pulse in pictures that nothing else is wrong with: they may not be those of a finger.
  var absence: SignalProblem {
    let colours = recent.reduce(SIMD4<Double>.zero) { $0 + $1.picture.colours }
    return isOfFinger && colours.x < Self.minRed * (colours.y + colours.z) / 2 ? .noFinger : .noPulse
  }

  /// What is wrong with the pictures; `nil` if nothing is.
  var problem: SignalProblem? {
    guard !recent.isEmpty else { return nil }
    let colours = recent.reduce(SIMD4<Double>.zero) { $0 + $1.picture.colours } / Double(recent.count)
    let saturated = recent.reduce(SIMD4<Double>.zero) { $0 + $1.picture.saturated } / Double(recent.count)
    if max(colours.x, colours.y, colours.z) < Self.darkest { return .tooDark }
    if isWithoutFinger { return .noFinger }
    if self.colours.allSatisfy({ Self.isSaturated($0, saturated) }) { return .tooBright }
    if isTooSlow { return .tooFewPictures }
    let brightness = recent.map(\.picture.brightness)
    let (least, most) = (brightness.min() ?? 0, brightness.max() ?? 0)
    if most - least > Self.maxChange * most { return .movement }
    return nil
  }

  private static func isSaturated(_ colour: PulseColour, _ saturated: SIMD4<Double>) -> Bool {
    switch colour {
    case .red: saturated.x > maxSaturated
    case .green: saturated.y > maxSaturated
    case .blue: saturated.z > maxSaturated
    case .pos, .chrom: saturated.max() > maxSaturated
    }
  }
}

import Basics
import Quantities
import Signals

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

/// Converts the times of pictures to the monotonic clock.
///
/// The driver of a camera stamps pictures with that clock. Times of any other clock are placed by their arrival
/// (``SenderClock``), and those of a film where it is played.
struct PictureClock: Sendable {
  /// A picture of the monotonic clock arrives so long after it was taken, at the most.
  static let maxDelay = Duration.seconds(2)
  /// Two clocks that are read one after the other may differ by so much.
  static let tolerance = Duration.milliseconds(5)

  private enum Mapping: Sendable {
    case unknown
    case monotonic
    case sender
    case film(first: Int64?)
  }

  private let start: Moment
  private var mapping: Mapping
  private var sender = SenderClock(latency: .zero)

  static func ofCamera() -> PictureClock { PictureClock(start: Moment(nanoseconds: 0), mapping: .unknown) }

  /// Creates a clock of a film whose first picture is shown at a moment.
  static func ofFilm(from start: Moment) -> PictureClock {
    PictureClock(start: start, mapping: .film(first: nil))
  }

  private init(start: Moment, mapping: Mapping) { (self.start, self.mapping) = (start, mapping) }

  /// The moment of a picture's time, in nanoseconds.
  mutating func moment(of time: Int64, arrived: Moment) -> Moment {
    switch mapping {
    case .film(let first):
      let origin = first ?? time
      mapping = .film(first: origin)
      return start.advanced(by: Moment(nanoseconds: origin).duration(to: Moment(nanoseconds: time)))
    case .unknown:
      let delay = Moment(nanoseconds: time).duration(to: arrived)
      mapping = (.zero - Self.tolerance...Self.maxDelay).contains(delay) ? .monotonic : .sender
      return moment(of: time, arrived: arrived)
    case .monotonic: return min(Moment(nanoseconds: time), arrived)
    case .sender: return sender.moments(of: [Double(time) / 1e9], arrived: arrived)[0]
    }
  }
}

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

import Basics
import Quantities

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

  /// Creates a clock of a camera.
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

import Basics
package import Quantities

/// The monitor that shows a page, as far as `station check screen` has measured it.
package struct MonitorFacts: Hashable, Sendable, Codable, CheckedInJSON {
  /// How long it takes from a frame of the browser to its light.
  package struct Delay: Hashable, Sendable, Codable {
    package var median: Duration
    /// The delay of a single frame lies within this of the median.
    package var uncertainty: Duration

    package init(_ median: Duration, uncertainty: Duration) {
      (self.median, self.uncertainty) = (median, uncertainty)
    }
  }

  /// Its delay; `nil` where it was not measured, so that the times of screens and pictures leave it out.
  package var delay: Delay?
  /// The width of what it shows, in millimetres; `nil` where it was not measured.
  package var width: Double?

  private enum CodingKeys: String, CodingKey {
    case delay
    case width = "width_mm"
  }

  /// A monitor.
  package init(delay: Delay? = nil, width: Double? = nil) { (self.delay, self.width) = (delay, width) }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    if let width, width <= 0 { return "“width_mm” is \(width), which is not above zero" }
    return delay.map { $0.uncertainty < .zero } ?? false ? "“uncertainty_ns” is negative" : nil
  }

  /// When the light of a frame is seen.
  ///
  /// - Parameters:
  ///   - frame: the frame's own time, with the uncertainty of the page's clock.
  ///   - distance: the distance of two frames, by which a frame may be late where the delay was not measured.
  /// - Returns: the moment; where the delay was not measured, that of the frame.
  package func light(of frame: MeasuredMoment, framesApart distance: Duration) -> MeasuredMoment {
    MeasuredMoment(
      moment: frame.moment.advanced(by: delay?.median ?? .zero),
      uncertainty: frame.uncertainty + (delay?.uncertainty ?? distance))
  }
}

/// What the vertical axis says of itself, and which values it shows.
package struct Axis: Hashable, Sendable {
  /// What is measured, with its unit: `Heart rate (count/min)`.
  package var title: String
  /// The values at its ends.
  ///
  /// What lies outside is not drawn; `nil` lets the data decide.
  package var range: ClosedRange<Double>?
  /// How many digits after the point its values have at most where the chart is described in words.
  package var digits: Int

  /// An axis.
  package init(_ title: String = "", range: ClosedRange<Double>? = nil, digits: Int = 3) {
    self.title = title
    self.range = range
    self.digits = digits
  }

  /// Heart rate, in beats a minute.
  package static let heartRate = Axis("Heart rate (count/min)", digits: 1)
}

/// What the horizontal axis says of itself, and which places it shows.
package struct HorizontalAxis: Hashable, Sendable {
  /// How the places of an axis are written.
  package enum Scale: Hashable, Sendable {
    /// As decimal numbers.
    case number
    /// Seconds since a zero, written as seconds, minutes or hours.
    case elapsed
    /// Days since 1970-01-01, written as dates.
    case day
  }

  /// What the places are, with their unit: `Frequency (Hz)`.
  package var title: String
  /// How its places are written.
  package var scale: Scale
  /// The places at its ends.
  ///
  /// What lies outside is not drawn; `nil` lets the data decide.
  package var range: ClosedRange<Double>?

  /// An axis.
  package init(_ title: String = "", scale: Scale = .number, range: ClosedRange<Double>? = nil) {
    self.title = title
    self.scale = scale
    self.range = range
  }

  /// Time since a zero that the title does not name, in seconds.
  package static let elapsedTime = HorizontalAxis("Time", scale: .elapsed)
}

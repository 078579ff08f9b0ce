/// The title and the range of the vertical axis.
package struct Axis: Hashable, Sendable {
  /// The quantity, with its unit: `Heart rate (count/min)`.
  package var title: String
  /// The limits of the axis.
  ///
  /// Values outside are not drawn; `nil` fits the range to the data.
  package var range: ClosedRange<Double>?
  /// The maximum number of decimals in the chart's text description.
  package var digits: Int

  /// Creates an axis.
  package init(_ title: String = "", range: ClosedRange<Double>? = nil, digits: Int = 3) {
    self.title = title
    self.range = range
    self.digits = digits
  }

  /// Heart rate in beats per minute.
  package static let heartRate = Axis("Heart rate (count/min)", digits: 1)
}

/// The title, scale and range of the horizontal axis.
package struct HorizontalAxis: Hashable, Sendable {
  /// How positions are written.
  package enum Scale: Hashable, Sendable {
    /// As decimal numbers.
    case number
    /// Seconds since a zero, written as seconds, minutes or hours.
    case elapsed
    /// Days since 1970-01-01, written as dates.
    case day
  }

  /// The quantity, with its unit: `Frequency (Hz)`.
  package var title: String
  /// How positions are written.
  package var scale: Scale
  /// The limits of the axis.
  ///
  /// Positions outside are not drawn; `nil` fits the range to the data.
  package var range: ClosedRange<Double>?

  /// Creates an axis.
  package init(_ title: String = "", scale: Scale = .number, range: ClosedRange<Double>? = nil) {
    self.title = title
    self.scale = scale
    self.range = range
  }

  /// Time in seconds since a zero that the title does not specify.
  package static let elapsedTime = HorizontalAxis("Time", scale: .elapsed)
}

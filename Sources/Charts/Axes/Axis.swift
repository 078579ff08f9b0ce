/// The title and the range of the vertical axis.
package struct Axis: Hashable, Sendable {
  /// The quantity, with its unit: `Heart rate (count/min)`.
  var title: String
  /// The limits of the axis.
  ///
  /// Values outside are not drawn; `nil` fits the range to the data.
  package var range: ClosedRange<Double>?
  /// The maximum number of decimals in the chart's text description.
  var digits: Int

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
  var title: String
  /// How positions are written.
  var scale: Scale
  /// The limits of the axis.
  ///
  /// Positions outside are not drawn; `nil` fits the range to the data.
  package var range: ClosedRange<Double>?

  package init(_ title: String = "", scale: Scale = .number, range: ClosedRange<Double>? = nil) {
    self.title = title
    self.scale = scale
    self.range = range
  }

  /// Time in seconds since a zero that the title does not specify.
  static let elapsedTime = HorizontalAxis("Time", scale: .elapsed)
}

/// The minimum and the maximum of some values.
struct Extent: Hashable, Sendable {
  private(set) var low = Double.infinity
  private(set) var high = -Double.infinity

  var isEmpty: Bool { low > high }

  init() {}

  init(_ range: ClosedRange<Double>) {
    (low, high) = (range.lowerBound, range.upperBound)
  }

  mutating func include(_ value: Double) {
    guard value.isPlottable else { return }
    low = min(low, value)
    high = max(high, value)
  }

  mutating func include(_ range: ValueRange) {
    include(range.minimum)
    include(range.maximum)
  }

  mutating func include(_ other: Extent) {
    include(other.low)
    include(other.high)
  }

  /// An extent wide enough to draw: a single value gets room on both sides.
  var widened: Extent {
    let size = max(low.magnitude, high.magnitude)
    guard size > 1e-290 else { return Extent(-1...1) }
    guard high - low < size * 1e-9 else { return self }
    let room = size * 0.05
    return Extent((low - room)...(high + room))
  }

  /// The extent with this fraction of its length added at both ends.
  func padded(by part: Double) -> Extent {
    let room = (high - low) * part
    return Extent((low - room)...(high + room))
  }
}

extension ClosedRange<Double> {
  /// Whether the range is usable for an axis.
  var isUsable: Bool {
    lowerBound.isPlottable && upperBound.isPlottable
      && upperBound - lowerBound > Swift.max(lowerBound.magnitude, upperBound.magnitude) * 1e-9
      && upperBound - lowerBound > 1e-290
  }
}

/// The mapping of an axis's values to the canvas.
struct PlaceScale: Hashable, Sendable {
  let low: Double
  let high: Double
  /// The canvas position of the lowest value.
  let start: Double
  /// The canvas position of the highest value; above that of the lowest on a vertical axis.
  let end: Double

  init(_ extent: Extent, from start: Double, to end: Double) {
    (low, high) = (extent.low, extent.high)
    (self.start, self.end) = (start, end)
  }

  /// Values far off the axis are clamped to positions outside the visible area.
  func place(_ value: Double) -> Double {
    let part = (value - low) / (high - low)
    return start + min(max(part, -100), 100) * (end - start)
  }
}

/// A tick of an axis with its label.
struct Tick: Hashable, Sendable {
  let value: Double
  let text: String
}

/// All possible tick sets of an axis, from the finest to the coarsest.
struct TickSets: Sendable {
  let scale: HorizontalAxis.Scale
  let low: Double
  let high: Double
  /// The maximum number of ticks in a set.
  let limit: Int

  /// The first set for which `fits` returns true; an empty one if there is none.
  func first(where fits: ([Tick]) -> Bool) -> [Tick] {
    guard high > low else { return [] }
    switch scale {
    case .number: return decimalTicks(where: fits)
    case .elapsed: return timeTicks(where: fits)
    case .day:
      guard low.magnitude < 1e6, high.magnitude < 1e6 else { return decimalTicks(where: fits) }
      for step in CalendarStep.all where (high - low) / step.leastDays <= Double(limit) * 2 {
        let days = step.days(from: low, to: high)
        guard days.count <= limit else { continue }
        let texts = zip(days, [nil] + days.map(Optional.some)).map { step.text(of: $0, after: $1) }
        let ticks = zip(days, texts).map { Tick(value: Double($0), text: $1) }
        if fits(ticks) { return ticks }
      }
      return []
    }
  }

  private func decimalTicks(where fits: ([Tick]) -> Bool) -> [Tick] {
    var step = DecimalStep(atLeast: (high - low) / Double(max(1, limit)))
    // Ever coarser steps leave only zero, and then no tick, between the ends.
    while let counts = step.multiples(from: low, to: high) {
      if counts.count <= limit {
        let texts = tickTexts(Array(counts), of: step)
        let ticks = zip(counts, texts).map { Tick(value: step.value(times: $0), text: $1) }
        if fits(ticks) { return ticks }
        if counts.count == 1 { return [] }
      }
      step = step.coarser
    }
    return []
  }

  private func timeTicks(where fits: ([Tick]) -> Bool) -> [Tick] {
    // Below a span of two seconds, and beyond thousands of years, times are written as plain seconds.
    guard high - low >= 2, low.magnitude < 1e11, high.magnitude < 1e11 else {
      return TickSets(scale: .number, low: low, high: high, limit: limit).first { ticks in
        fits(ticks.map { Tick(value: $0.value, text: $0.text + " s") })
      }.map { Tick(value: $0.value, text: $0.text + " s") }
    }
    for step in TimeStep.elapsed where (high - low) / step.seconds <= Double(limit) {
      let first = (low / step.seconds - 1e-9).rounded(.up)
      let last = (high / step.seconds + 1e-9).rounded(.down)
      guard first <= last else { return [] }
      let ticks = stride(from: first, through: last, by: 1).map { count -> Tick in
        let time = count * step.seconds
        return Tick(value: time, text: step.elapsedText(at: time, until: high))
      }
      if fits(ticks) { return ticks }
    }
    return []
  }
}

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

extension AxesFigure {
  /// Whether any data lie within the horizontal axis.
  var hasData: Bool {
    let range = categories == nil ? x.range.flatMap { $0.isUsable ? $0 : nil } : nil
    func sees(_ x: Double) -> Bool { x.isPlottable && range?.contains(x) != false }
    return layers.contains { layer in
      switch layer {
      case .line(let points, _, _), .marks(let points, _, _): points.contains { $0.isPlottable && sees($0.x) }
      case .ranges(let ranges, _, _, _, _, _), .band(let ranges, _): ranges.contains { sees($0.x) && !$0.range.isUnset }
      case .outline: false
      }
    }
  }

  /// The range of the horizontal axis.
  var horizontalExtent: Extent {
    if let categories { return Extent(-0.5...(Double(max(1, categories.count)) - 0.5)) }
    if let range = x.range, range.isUsable { return Extent(range) }
    var extent = Extent()
    for layer in layers {
      switch layer {
      case .line(let points, _, _), .marks(let points, _, _):
        for point in points where point.isPlottable { extent.include(point.x) }
      case .ranges(let ranges, _, _, _, let room, _):
        for item in ranges where !item.range.isUnset {
          extent.include(item.x - room / 2)
          extent.include(item.x + room / 2)
        }
      case .band(let points, _):
        for point in points where !point.range.isUnset { extent.include(point.x) }
      case .outline(let points, _, _, let isGuide):
        if !isGuide { for point in points where point.isPlottable { extent.include(point.x) } }
      }
    }
    for span in spans {
      extent.include(span.from)
      extent.include(span.to)
    }
    for instant in instants { extent.include(instant.at) }
    return extent.widened
  }

  /// The range that the vertical axis needs for the data within the horizontal one.
  func verticalExtent(within horizontal: Extent) -> Extent {
    if let range = y.range, range.isUsable { return Extent(range) }
    var extent = Extent()
    func sees(_ x: Double) -> Bool { x >= horizontal.low && x <= horizontal.high }
    for layer in layers {
      switch layer {
      case .line(let points, _, _), .marks(let points, _, _):
        for point in points where sees(point.x) { extent.include(point.y) }
      case .ranges(let ranges, _, _, _, _, _), .band(let ranges, _):
        for item in ranges where sees(item.x) { extent.include(item.range) }
      case .outline(let points, _, _, let isGuide):
        for point in points where !isGuide && sees(point.x) { extent.include(point.y) }
      }
    }
    for reference in references { extent.include(reference.value) }
    if extent.isEmpty { return Extent(-1...1) }
    if startsAtZero { extent.include(0) }
    let padded = extent.widened.padded(by: 0.04)
    guard startsAtZero else { return padded }
    // No padding below or above bars that start at zero.
    return Extent((extent.low < 0 ? padded.low : 0)...(extent.high > 0 ? padded.high : 0)).widened
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

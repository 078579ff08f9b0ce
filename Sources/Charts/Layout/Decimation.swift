/// Thins out long series to the resolution of the picture without visible change.
///
/// Of all points in one pixel column the first, the lowest, the highest and the last are kept (the M4 aggregation of
/// Jugel et al., VLDB 2014), so that all extremes remain and the line covers the same pixels.
enum Decimation {
  /// The continuous parts of a line.
  ///
  /// - Parameters:
  ///   - points: the points in order of position; one that is not a number breaks the line.
  ///   - scale: the mapping to the canvas.
  /// - Returns: the kept points of each part.
  static func parts(of points: [DataPoint], on scale: PlaceScale) -> [[DataPoint]] {
    var parts: [[DataPoint]] = []
    var part: [DataPoint] = []
    var column = Column()
    var previous: DataPoint?
    var isBroken = false
    for point in points {
      guard point.isPlottable else {
        isBroken = true
        continue
      }
      if let previous {
        // A gap narrower than the line would be invisible, but could split it into thousands of parts.
        if isBroken, scale.place(point.x) - scale.place(previous.x) > 1.5 {
          column.flush(into: &part)
          parts.append(part)
          part = []
        }
      }
      let index = scale.place(point.x).rounded(.down)
      if index != column.index { column.flush(into: &part) }
      column.take(point, index: index)
      previous = point
      isBroken = false
    }
    column.flush(into: &part)
    if !part.isEmpty { parts.append(part) }
    return parts
  }

  /// The ranges to draw: those in one pixel column are merged.
  static func columns(of ranges: [RangeAt], on scale: PlaceScale) -> [RangeAt] {
    guard Double(ranges.count) > (scale.end - scale.start).magnitude else { return ranges }
    var columns: [RangeAt] = []
    for item in ranges {
      if let last = columns.last, !last.range.isUnset, !item.range.isUnset,
        scale.place(last.x).rounded(.down) == scale.place(item.x).rounded(.down)
      {
        columns[columns.count - 1] = RangeAt(
          x: last.x,
          range: ValueRange(
            min(last.range.minimum, item.range.minimum), max(last.range.maximum, item.range.maximum)))
      } else {
        columns.append(item)
      }
    }
    return columns
  }

  private struct Column {
    var index = Double.nan
    var kept: (first: DataPoint, low: DataPoint, high: DataPoint, last: DataPoint)?
    var (lowCount, highCount, count) = (0, 0, 0)

    mutating func take(_ point: DataPoint, index: Double) {
      self.index = index
      count += 1
      guard var kept else {
        self.kept = (point, point, point, point)
        return
      }
      if point.y < kept.low.y { (kept.low, lowCount) = (point, count) }
      if point.y > kept.high.y { (kept.high, highCount) = (point, count) }
      kept.last = point
      self.kept = kept
    }

    mutating func flush(into part: inout [DataPoint]) {
      guard let kept else { return }
      part.append(kept.first)
      let middle =
        lowCount < highCount
        ? [(kept.low, lowCount), (kept.high, highCount)] : [(kept.high, highCount), (kept.low, lowCount)]
      for (point, place) in middle where place > 1 && place < count { part.append(point) }
      if count > 1 { part.append(kept.last) }
      self = Column()
    }
  }
}

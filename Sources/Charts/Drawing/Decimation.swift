/// Makes long series short enough for a picture without changing what is seen.
///
/// Of all points that fall into one column of pixels, the first, the lowest, the highest and the last are kept (the M4
/// aggregation of Jugel et al., VLDB 2014), so that every extreme stays and the line through the column covers the same
/// pixels.
enum Decimation {
  /// The parts of a line that are drawn without a break.
  ///
  /// - Parameters:
  ///   - points: in the order of their places; one that is no number parts what lies before it from what follows.
  ///   - scale: where they go.
  /// - Returns: the points that are kept of each part.
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
        // A gap that is narrower than the line could not be seen, but would make a line of thousands of parts.
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

  /// The ranges that are drawn: all of one column of pixels become one.
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

/// Counts the pairs of templates that lie near each other in every coordinate.
///
/// A k-d tree of the templates is compared with itself: two boxes that are wholly near or wholly far settle all their
/// pairs at once (Gray and Moore, "N-body problems in statistical learning", 2001). The count is that of comparing every
/// pair with every other, exactly.
struct TemplatePairs {
  private let dimension: Int
  private let tolerance: Double
  private let isClosed: Bool
  // Coordinates in the tree's order, point by point; and each node's points, children and box.
  private var points: [Double] = []
  private var nodes: [Node] = []
  private var boxes: [Double] = []

  private struct Node {
    var low: Int
    var high: Int
    var left = -1
    var right = -1
    var count: Int { high - low }
  }

  /// Templates of successive values.
  ///
  /// - Parameters:
  ///   - values: the series.
  ///   - starts: where in it the templates begin.
  ///   - dimension: how many values a template has.
  ///   - tolerance: how far apart two values may be.
  ///   - isClosed: whether exactly that far is near.
  init(of values: [Double], starts: [Int], dimension: Int, tolerance: Double, isClosed: Bool) {
    self.dimension = dimension
    self.tolerance = tolerance
    self.isClosed = isClosed
    guard !starts.isEmpty else { return }
    var order = starts
    build(&order, 0, order.count, values)
    points.reserveCapacity(order.count * dimension)
    for start in order { points += values[start..<start + dimension] }
  }

  /// How many pairs of different templates are near.
  var count: Int { nodes.isEmpty ? 0 : countWithin(0) }

  private mutating func build(_ order: inout [Int], _ low: Int, _ high: Int, _ values: [Double]) {
    let place = nodes.count
    nodes.append(Node(low: low, high: high))
    var widest = (coordinate: 0, width: -1.0)
    for coordinate in 0..<dimension {
      var (least, most) = (Double.infinity, -Double.infinity)
      for index in low..<high {
        let value = values[order[index] + coordinate]
        least = min(least, value)
        most = max(most, value)
      }
      boxes.append(least)
      boxes.append(most)
      if most - least > widest.width { widest = (coordinate, most - least) }
    }
    guard high - low > 12, widest.width > 0 else { return }
    let coordinate = widest.coordinate
    let pivot = (boxes[2 * (place * dimension + coordinate)] + boxes[2 * (place * dimension + coordinate) + 1]) / 2
    var middle = low
    for index in low..<high where values[order[index] + coordinate] <= pivot {
      order.swapAt(index, middle)
      middle += 1
    }
    // Halving the box leaves both halves with a point, unless rounding has put the pivot on its edge.
    guard middle > low, middle < high else { return }
    nodes[place].left = nodes.count
    build(&order, low, middle, values)
    nodes[place].right = nodes.count
    build(&order, middle, high, values)
  }

  private func isNear(_ distance: Double) -> Bool { isClosed ? distance <= tolerance : distance < tolerance }

  private func countWithin(_ place: Int) -> Int {
    let node = nodes[place]
    if relation(place, place) == .near { return node.count * (node.count - 1) / 2 }
    if node.left >= 0 {
      return countWithin(node.left) + countWithin(node.right) + countBetween(node.left, node.right)
    }
    var pairs = 0
    for first in node.low..<node.high {
      for second in (first + 1)..<max(first + 1, node.high) where areNear(first, second) { pairs += 1 }
    }
    return pairs
  }

  private func countBetween(_ first: Int, _ second: Int) -> Int {
    switch relation(first, second) {
    case .far: return 0
    case .near: return nodes[first].count * nodes[second].count
    case .mixed: break
    }
    let (one, other) = (nodes[first], nodes[second])
    if one.left >= 0, one.count >= other.count || other.left < 0 {
      return countBetween(one.left, second) + countBetween(one.right, second)
    }
    if other.left >= 0 { return countBetween(first, other.left) + countBetween(first, other.right) }
    var pairs = 0
    for left in one.low..<one.high {
      for right in other.low..<other.high where areNear(left, right) { pairs += 1 }
    }
    return pairs
  }

  private enum Relation { case far, near, mixed }

  /// Whether all points of two boxes are near each other, or none.
  private func relation(_ first: Int, _ second: Int) -> Relation {
    var isNearThroughout = true
    for coordinate in 0..<dimension {
      let (one, other) = (2 * (first * dimension + coordinate), 2 * (second * dimension + coordinate))
      let (low, high, otherLow, otherHigh) = (boxes[one], boxes[one + 1], boxes[other], boxes[other + 1])
      if !isNear(max(0, low - otherHigh, otherLow - high)) { return .far }
      if !isNear(max(high - otherLow, otherHigh - low)) { isNearThroughout = false }
    }
    return isNearThroughout ? .near : .mixed
  }

  private func areNear(_ first: Int, _ second: Int) -> Bool {
    for coordinate in 0..<dimension {
      let distance = abs(points[first * dimension + coordinate] - points[second * dimension + coordinate])
      if !isNear(distance) { return false }
    }
    return true
  }
}

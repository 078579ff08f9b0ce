/// Counts the pairs of templates that are close to each other in every coordinate.
///
/// A k-d tree of the templates is compared with itself: two boxes that are entirely close or entirely distant settle
/// all their pairs in one step (Gray and Moore, "N-body problems in statistical learning", 2001). The count equals that
/// of comparing every pair, exactly.
struct TemplatePairs {
  private let dimension: Int
  // |x - y| < r is |x - y| <= the number below r, so that one comparison serves both.
  private let tolerance: Double
  // All first coordinates in the tree's order, then all second ones, and so on; and the points and box of each node.
  private var columns: [Double] = []
  private var nodes: [Node] = []
  private var boxes: [Double] = []
  private let total: Int

  private struct Node {
    var low: Int
    var high: Int
    var left = -1
    var right = -1
    var count: Int { high - low }
  }

  /// Creates the tree of templates of successive values.
  ///
  /// - Parameters:
  ///   - values: the series.
  ///   - starts: the indices at which templates begin.
  ///   - dimension: the number of values in a template.
  ///   - tolerance: the largest distance of two matching values.
  ///   - isClosed: whether a distance equal to the tolerance matches.
  init(of values: [Double], starts: [Int], dimension: Int, tolerance: Double, isClosed: Bool) {
    self.dimension = dimension
    self.tolerance = isClosed ? tolerance : tolerance.nextDown
    total = starts.count
    guard !starts.isEmpty else { return }
    var order = starts
    build(&order, 0, order.count, values)
    columns.reserveCapacity(order.count * dimension)
    for coordinate in 0..<dimension { for start in order { columns.append(values[start + coordinate]) } }
  }

  /// The number of close pairs of different templates.
  var count: Int {
    guard !nodes.isEmpty else { return 0 }
    return unsafe columns.withUnsafeBufferPointer { columns in
      unsafe boxes.withUnsafeBufferPointer { boxes in
        unsafe nodes.withUnsafeBufferPointer { nodes in
          unsafe Walk(
            dimension: dimension, tolerance: tolerance, total: total, columns: columns, boxes: boxes, nodes: nodes
          ).countWithin(0)
        }
      }
    }
  }

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
    guard high - low > 64, widest.width > 0 else { return }
    let coordinate = widest.coordinate
    let pivot = (boxes[2 * (place * dimension + coordinate)] + boxes[2 * (place * dimension + coordinate) + 1]) / 2
    var middle = low
    for index in low..<high where values[order[index] + coordinate] <= pivot {
      order.swapAt(index, middle)
      middle += 1
    }
    // Splitting the box leaves a point in both halves, unless rounding has put the pivot on its edge.
    guard middle > low, middle < high else { return }
    nodes[place].left = nodes.count
    build(&order, low, middle, values)
    nodes[place].right = nodes.count
    build(&order, middle, high, values)
  }

  /// The traversal of node pairs, without bounds checks, because it takes nearly all of the time.
  @unsafe private struct Walk {
    let dimension: Int
    let tolerance: Double
    let total: Int
    let columns: UnsafeBufferPointer<Double>
    let boxes: UnsafeBufferPointer<Double>
    let nodes: UnsafeBufferPointer<Node>

    func countWithin(_ place: Int) -> Int {
      let node = unsafe nodes[place]
      if unsafe relation(place, place) == .near { return node.count * (node.count - 1) / 2 }
      if node.left >= 0 {
        return unsafe countWithin(node.left) + countWithin(node.right) + countBetween(node.left, node.right)
      }
      var pairs = 0
      for point in node.low..<node.high { unsafe pairs += count(near: point, in: point + 1, node.high) }
      return pairs
    }

    private func countBetween(_ first: Int, _ second: Int) -> Int {
      let (one, other) = unsafe (nodes[first], nodes[second])
      switch unsafe relation(first, second) {
      case .far: return 0
      case .near: return one.count * other.count
      case .mixed: break
      }
      if one.left >= 0, one.count >= other.count || other.left < 0 {
        return unsafe countBetween(one.left, second) + countBetween(one.right, second)
      }
      if other.left >= 0 {
        return unsafe countBetween(first, other.left) + countBetween(first, other.right)
      }
      var pairs = 0
      for point in one.low..<one.high {
        switch unsafe relation(point: point, second) {
        case .far: break
        case .near: pairs += other.count
        case .mixed: unsafe pairs += count(near: point, in: other.low, other.high)
        }
      }
      return pairs
    }

    private enum Relation { case far, near, mixed }

    /// Whether all points of two boxes are close to each other, or none.
    private func relation(_ first: Int, _ second: Int) -> Relation {
      var isNearThroughout = true
      for coordinate in unsafe 0..<dimension {
        let (one, other) = unsafe (2 * (first * dimension + coordinate), 2 * (second * dimension + coordinate))
        let (low, high) = unsafe (boxes[one], boxes[one + 1])
        let (otherLow, otherHigh) = unsafe (boxes[other], boxes[other + 1])
        if unsafe low - otherHigh > tolerance || otherLow - high > tolerance { return .far }
        if unsafe high - otherLow > tolerance || otherHigh - low > tolerance { isNearThroughout = false }
      }
      return unsafe isNearThroughout && tolerance >= 0 ? .near : .mixed
    }

    /// Whether all points of a box are close to a point, or none.
    private func relation(point: Int, _ second: Int) -> Relation {
      var isNearThroughout = true
      for coordinate in unsafe 0..<dimension {
        let value = unsafe columns[coordinate * total + point]
        let other = unsafe 2 * (second * dimension + coordinate)
        let (low, high) = unsafe (boxes[other], boxes[other + 1])
        if unsafe low - value > tolerance || value - high > tolerance { return .far }
        if unsafe value - low > tolerance || high - value > tolerance { isNearThroughout = false }
      }
      return unsafe isNearThroughout && tolerance >= 0 ? .near : .mixed
    }

    /// The number of points in the half-open range from `low` to `high` that are close to a point.
    private func count(near point: Int, in low: Int, _ high: Int) -> Int {
      guard low < high, let first = unsafe columns.baseAddress else { return 0 }
      // Branch-free, so that several points are compared in parallel; the usual dimensions have their own loops.
      var pairs = 0
      switch unsafe dimension {
      case 2:
        let second = unsafe first + total
        let (x, y) = unsafe (first[point], second[point])
        for other in low..<high {
          let isFarX = unsafe abs(first[other] - x) > tolerance ? 1 : 0
          let isFarY = unsafe abs(second[other] - y) > tolerance ? 1 : 0
          pairs &+= 1 &- (isFarX | isFarY)
        }
      case 3:
        let (second, third) = unsafe (first + total, first + 2 * total)
        let (x, y, z) = unsafe (first[point], second[point], third[point])
        for other in low..<high {
          let isFarX = unsafe abs(first[other] - x) > tolerance ? 1 : 0
          let isFarY = unsafe abs(second[other] - y) > tolerance ? 1 : 0
          let isFarZ = unsafe abs(third[other] - z) > tolerance ? 1 : 0
          pairs &+= 1 &- (isFarX | isFarY | isFarZ)
        }
      default:
        for other in low..<high {
          var isFar = 0
          for coordinate in unsafe 0..<dimension {
            let column = unsafe first + coordinate * total
            isFar |= unsafe abs(column[other] - column[point]) > tolerance ? 1 : 0
          }
          pairs &+= 1 &- isFar
        }
      }
      return pairs
    }
  }
}

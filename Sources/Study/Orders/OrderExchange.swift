import Basics
import Glibc

/// Orders of designs with too many states to count: from one that keeps the constraints, by exchanges of two trials.
///
/// Each exchange is as likely as its reverse, so that in the long run each order that can be reached is equally likely.
struct OrderExchange {
  let counts: [Int]
  let blocks: Int
  let constraints: [OrderConstraint]

  /// How often a first order is tried to be found.
  private static let attempts = 100

  /// Draws an order.
  ///
  /// - Parameter random: the generator.
  /// - Returns: the cells in order.
  /// - Throws: ``OrderError`` if none is found in bounded time.
  func draw(_ random: inout Xoshiro256StarStar) throws(OrderError) -> [Int] {
    for _ in 0..<Self.attempts {
      guard var order = first(&random) else { continue }
      exchange(&order, &random)
      return order
    }
    throw .notFound(attempts: Self.attempts)
  }

  private func exchange(_ order: inout [Int], _ random: inout Xoshiro256StarStar) {
    let size = order.count / blocks
    let exchanges = Int(10 * Double(order.count) * log(Double(order.count) + 1))
    for _ in 0..<exchanges {
      let one = Int(random.next(below: UInt64(order.count)))
      let other = one / size * size + Int(random.next(below: UInt64(size)))
      guard order[one] != order[other] else { continue }
      order.swapAt(one, other)
      let holds = constraints.allSatisfy { $0.holds(in: order, around: one) && $0.holds(in: order, around: other) }
      if !holds { order.swapAt(one, other) }
    }
  }

  /// An order that keeps the constraints: always one of the cells that the block has most of, among those allowed.
  private func first(_ random: inout Xoshiro256StarStar) -> [Int]? {
    var order: [Int] = []
    var history = OrderHistory(constraints)
    for _ in 0..<blocks {
      var left = counts
      for _ in 0..<counts.reduce(0, +) {
        let allowed = left.indices.filter { left[$0] > 0 && history.allows($0) }
        let most = allowed.map { left[$0] }.max()
        let fullest = allowed.filter { left[$0] == most }
        guard !fullest.isEmpty else { return nil }
        let cell = fullest[Int(random.next(below: UInt64(fullest.count)))]
        left[cell] -= 1
        history.append(cell)
        order.append(cell)
      }
    }
    return order
  }
}

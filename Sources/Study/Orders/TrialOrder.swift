import Basics

/// How the trials of a design are ordered.
package enum TrialOrder: String, Sendable, CaseIterable {
  /// As the conditions are listed, once for each repetition.
  case fixed
  /// All trials in random order.
  case random
  /// Blocks with each condition once, each block in random order.
  case randomBlocks
  /// Blocks in the order of a row of the cyclic Latin square, by the participant's index.
  case latinSquare
  /// Blocks in the order of a row of Williams' square, in which each condition also follows each other one equally often.
  case balancedLatinSquare

  /// The rows of its square for so many conditions; `nil` for an order without a square.
  func square(_ count: Int) -> [[Int]]? {
    switch self {
    case .latinSquare: LatinSquare.cyclic(count)
    case .balancedLatinSquare: LatinSquare.balanced(count)
    case .fixed, .random, .randomBlocks: nil
    }
  }

  var isRandom: Bool { self == .random || self == .randomBlocks }

  /// Puts the cells of a design in order.
  ///
  /// Each order that keeps the constraints is equally likely. Where a design has too many orders to count them
  /// (60,000 states), ten times *n* ln *n* pairs of trials are exchanged, of which those count that keep
  /// the constraints.
  ///
  /// - Parameters:
  ///   - cells: how many cells the design has, at least one.
  ///   - repetitions: how often each cell comes, at least once.
  ///   - row: which row of a square the first block takes, from 0; each further block takes the next one.
  ///   - constraints: what random orders keep.
  ///   - random: the generator of random orders.
  /// - Returns: the cells, by their indices.
  /// - Throws: ``OrderError`` where no order keeps the constraints.
  func cells(
    _ cells: Int, repetitions: Int, row: Int = 0, constraints: [OrderConstraint] = [],
    random: inout Xoshiro256StarStar
  ) throws(OrderError) -> [Int] {
    if let square = square(cells) {
      return (0..<repetitions).flatMap { square[(row + $0) % square.count] }
    }
    let once = Array(0..<cells)
    let (counts, blocks) =
      self == .random
      ? (once.map { _ in repetitions }, 1) : (once.map { _ in 1 }, repetitions)
    if self == .fixed { return (0..<repetitions).flatMap { _ in once } }
    let block = counts.enumerated().flatMap { Array(repeating: $0, count: $1) }
    let limits = constraints.filter { $0.matters(counts: counts, blocks: blocks) }
    guard !limits.isEmpty else { return (0..<blocks).flatMap { _ in block.shuffled(by: &random) } }
    if let automaton = OrderAutomaton(counts: counts, blocks: blocks, constraints: limits) {
      guard let order = automaton.draw(&random) else {
        throw .impossible(Self.culprit(limits, counts: counts, blocks: blocks))
      }
      return order
    }
    if let culprit = Self.culprit(limits, counts: counts, blocks: blocks) { throw .impossible(culprit) }
    return try OrderExchange(counts: counts, blocks: blocks, constraints: limits).draw(&random)
  }

  /// A label that alone is too frequent for a constraint.
  private static func culprit(_ constraints: [OrderConstraint], counts: [Int], blocks: Int) -> OrderError.Culprit? {
    let trials = counts.reduce(0, +) * blocks
    for constraint in constraints {
      var perLabel: [Int: Int] = [:]
      for (cell, count) in counts.enumerated() { perLabel[constraint.labels[cell], default: 0] += count * blocks }
      for (label, count) in perLabel.sorted(by: { $0.key < $1.key }) {
        let most =
          switch constraint.limit {
          case .maxRun(let run): run * (trials - count + 1)
          case .minDistance(let distance): (trials - 1) / distance + 1
          }
        if count > most {
          return OrderError.Culprit(constraint: constraint, label: label, count: count, trials: trials, most: most)
        }
      }
    }
    return nil
  }
}

/// Why no order was found.
package enum OrderError: Error, Hashable {
  /// What alone is too frequent for a constraint.
  package struct Culprit: Hashable, Sendable {
    let constraint: OrderConstraint
    /// The label that is too frequent.
    let label: Int
    /// How many trials have it.
    let count: Int
    /// Of how many trials.
    let trials: Int
    /// How many could have it.
    let most: Int
  }

  /// No order keeps the constraints; with what alone is too frequent, if one thing is.
  case impossible(Culprit?)
  /// None was found in so many attempts.
  case notFound(attempts: Int)
}

extension Array {
  /// Its elements in random order (Fisher and Yates).
  func shuffled(by random: inout Xoshiro256StarStar) -> Self {
    var copy = self
    for index in stride(from: copy.count - 1, to: 0, by: -1) {
      copy.swapAt(index, Int(random.next(below: UInt64(index + 1))))
    }
    return copy
  }
}

/// A square of orders: each condition comes equally often at each position.
enum LatinSquare {
  /// The cyclic square of so many conditions: row `i` is `i, i + 1, …` modulo the count.
  static func cyclic(_ count: Int) -> [[Int]] {
    (0..<count).map { row in (0..<count).map { (row + $0) % count } }
  }

  /// Williams' square, in which each condition also follows each other one equally often.
  ///
  /// E. J. Williams, Australian Journal of Scientific Research A 2 (1949), 149–168. The first row is
  /// `0, 1, n − 1, 2, n − 2, …` and each further one adds 1 modulo the count; an odd count needs these rows and their
  /// mirror images.
  ///
  /// - Parameter count: how many conditions, at least one.
  /// - Returns: `count` rows for an even count, twice as many for an odd one above 1.
  static func balanced(_ count: Int) -> [[Int]] {
    let first = (0..<count).map { $0.isMultiple(of: 2) ? (count - $0 / 2) % count : ($0 + 1) / 2 }
    let rows = (0..<count).map { row in first.map { ($0 + row) % count } }
    return count.isMultiple(of: 2) || count == 1 ? rows : rows + rows.map { Array($0.reversed()) }
  }
}

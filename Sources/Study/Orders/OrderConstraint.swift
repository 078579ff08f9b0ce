/// A limit on the neighbourhood of trials with the same label: the same condition, or the same level of a factor.
package struct OrderConstraint: Hashable, Sendable {
  /// The kinds of limit.
  package enum Limit: Hashable, Sendable {
    /// At most so many trials of a label come one after the other.
    case maxRun(Int)
    /// From a trial to the next one of its label it is at least so many trials: 2 keeps one other trial between them.
    case minDistance(Int)
  }

  var limit: Limit
  /// The label of each cell, 0, 1, 2 …, by the cell's index.
  var labels: [Int]

  /// A limit on cells with these labels.
  package init(_ limit: Limit, labels: [Int]) { (self.limit, self.labels) = (limit, labels) }

  /// Whether it can forbid any order of so many of each cell a block, in so many blocks.
  func matters(counts: [Int], blocks: Int) -> Bool {
    switch limit {
    case .minDistance(let distance): return distance > 1
    case .maxRun(let run):
      var perLabel: [Int: Int] = [:]
      for (cell, count) in counts.enumerated() { perLabel[labels[cell], default: 0] += count }
      let most = perLabel.values.max() ?? 0
      let size = counts.reduce(0, +)
      // A run that fills a block may go on in every further one; a shorter one only spans a border.
      return run < (most == size ? most * blocks : blocks == 1 ? most : 2 * most)
    }
  }

  func holds(in order: [Int], around position: Int) -> Bool {
    let label = labels[order[position]]
    switch limit {
    case .maxRun(let most):
      var run = 1
      var index = position - 1
      while index >= 0, labels[order[index]] == label, run <= most { (run, index) = (run + 1, index - 1) }
      index = position + 1
      while index < order.count, labels[order[index]] == label, run <= most { (run, index) = (run + 1, index + 1) }
      return run <= most
    case .minDistance(let distance):
      let near = max(0, position - distance + 1)...min(order.count - 1, position + distance - 1)
      return near.allSatisfy { $0 == position || labels[order[$0]] != label }
    }
  }
}

/// What constraints need to know of the trials before.
struct OrderHistory: Hashable, Sendable {
  private let constraints: [OrderConstraint]
  /// For each constraint and label: the length of the run that is under way, or how many more trials the label has to wait.
  private(set) var marks: [[Int]]

  init(_ constraints: [OrderConstraint]) {
    self.constraints = constraints
    marks = constraints.map { Array(repeating: 0, count: ($0.labels.max() ?? 0) + 1) }
  }

  /// Whether a trial of this cell may come next.
  func allows(_ cell: Int) -> Bool {
    for (index, constraint) in constraints.enumerated() {
      let mark = marks[index][constraint.labels[cell]]
      switch constraint.limit {
      case .maxRun(let most): if mark >= most { return false }
      case .minDistance: if mark > 0 { return false }
      }
    }
    return true
  }

  /// Adds a trial of this cell.
  mutating func append(_ cell: Int) {
    for (index, constraint) in constraints.enumerated() {
      let label = constraint.labels[cell]
      switch constraint.limit {
      case .maxRun:
        let run = marks[index][label] + 1
        for other in marks[index].indices { marks[index][other] = 0 }
        marks[index][label] = run
      case .minDistance(let distance):
        for other in marks[index].indices where marks[index][other] > 0 { marks[index][other] -= 1 }
        marks[index][label] = distance - 1
      }
    }
  }
}

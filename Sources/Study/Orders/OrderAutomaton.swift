import Basics

/// All orders of a block that constraints allow, as a graph of states, from which an order is drawn with equal probability.
///
/// A state is how many trials of each cell the block still has, and what the constraints know of those before. With one
/// constraint on the conditions themselves the conditions are alike, and states that differ in their names only are one.
struct OrderAutomaton {
  private struct Edge {
    let cell: Int
    let next: Int
    /// For each cell of the next state the one of this state that it is; `nil` where they have the same names.
    let names: [Int]?
  }

  private struct Node {
    let left: [Int]
    let history: OrderHistory
    var edges: [Edge] = []
  }

  /// The states after 0, 1, 2 … trials of a block; those after the last are the first ones of the next block.
  private var layers: [[Node]] = []
  private let blocks: Int
  /// How many orders follow each state at each position, up to a factor that the states of a position share.
  private var weights: [[Double]] = []

  /// The most states of a graph; designs with more are drawn by exchanges.
  static let maxStates = 60_000

  /// Builds the graph; `nil` if it would have more than ``maxStates`` states.
  ///
  /// - Parameters:
  ///   - counts: how many trials of each cell a block has; the same of each where there are several blocks.
  ///   - blocks: how many blocks there are.
  ///   - constraints: what orders keep, across the borders of blocks as well.
  init?(counts: [Int], blocks: Int, constraints: [OrderConstraint]) {
    self.blocks = blocks
    let mergesNames = constraints.count == 1 && constraints[0].labels == Array(counts.indices)
    guard Self.estimate(counts, constraints, mergesNames) <= Double(Self.maxStates) else { return nil }
    let size = counts.reduce(0, +)
    layers = Array(repeating: [], count: size)
    var numbers: [[[UInt16]: Int]] = Array(repeating: [:], count: size)
    var states = 0
    func number(_ node: Node, _ layer: Int) -> (index: Int, isNew: Bool) {
      let key = Self.key(node.left, node.history, mergesNames)
      if let known = numbers[layer][key] { return (known, false) }
      let index = layers[layer].count
      numbers[layer][key] = index
      layers[layer].append(node)
      states += 1
      return (index, true)
    }
    var waiting = [(layer: 0, index: number(Node(left: counts, history: OrderHistory(constraints)), 0).index)]
    while let (layer, index) = waiting.popLast() {
      guard states <= Self.maxStates else { return nil }
      let node = layers[layer][index]
      for cell in counts.indices where node.left[cell] > 0 && node.history.allows(cell) {
        var (left, history) = (node.left, node.history)
        left[cell] -= 1
        history.append(cell)
        let following = layer + 1 < size ? layer + 1 : 0
        // After its last trial comes the next block's first.
        if following == 0 { left = counts }
        let reached = Node(left: left, history: history)
        let (next, isNew) = number(reached, following)
        if isNew { waiting.append((following, next)) }
        let names = mergesNames ? Self.names(of: layers[following][next], in: reached) : nil
        layers[layer][index].edges.append(Edge(cell: cell, next: next, names: names))
      }
    }
    weights = countOrders()
  }

  /// Draws one order of all blocks, each with equal probability.
  ///
  /// - Parameter random: the generator.
  /// - Returns: the cells in order; `nil` if no order keeps the constraints.
  func draw(_ random: inout Xoshiro256StarStar) -> [Int]? {
    guard weights[0][0] > 0 else { return nil }
    var order: [Int] = []
    order.reserveCapacity(blocks * layers.count)
    var names = Array(layers[0][0].left.indices)
    var state = 0
    for position in 0..<blocks * layers.count {
      let layer = position % layers.count
      let node = layers[layer][state]
      let following = weights[position + 1]
      let total = node.edges.reduce(0) { $0 + following[$1.next] }
      var share = Double(random.next() >> 11) / 0x1p53 * total
      var chosen: Edge?
      for edge in node.edges where following[edge.next] > 0 {
        chosen = edge
        share -= following[edge.next]
        if share < 0 { break }
      }
      guard let edge = chosen else { return nil }
      order.append(names[edge.cell])
      if let following = edge.names { names = following.map { names[$0] } }
      state = edge.next
    }
    return order
  }

  private func countOrders() -> [[Double]] {
    let length = blocks * layers.count
    var weights = Array(repeating: [Double](), count: length + 1)
    weights[length] = Array(repeating: 1, count: layers[0].count)
    for position in stride(from: length - 1, through: 0, by: -1) {
      let following = weights[position + 1]
      var counts = layers[position % layers.count].map { node in node.edges.reduce(0) { $0 + following[$1.next] } }
      if let most = counts.max(), most > 0 { for index in counts.indices { counts[index] /= most } }
      weights[position] = counts
    }
    return weights
  }

  /// Which cell of one state each cell of another one is that differs from it in names only.
  private static func names(of node: Node, in other: Node) -> [Int] {
    var free = Array(other.left.indices)
    return node.left.indices.map { cell in
      let index = free.firstIndex { name in
        other.left[name] == node.left[cell] && other.history.marks[0][name] == node.history.marks[0][cell]
      }
      return index.map { free.remove(at: $0) } ?? cell
    }
  }

  private static func key(_ left: [Int], _ history: OrderHistory, _ mergesNames: Bool) -> [UInt16] {
    guard mergesNames else { return (left + history.marks.joined()).map { UInt16(clamping: $0) } }
    return zip(left, history.marks[0]).map { ($0, $1) }.sorted { $0 < $1 }
      .flatMap { [UInt16(clamping: $0), UInt16(clamping: $1)] }
  }

  /// A bound on the number of states, cheap to have.
  private static func estimate(_ counts: [Int], _ constraints: [OrderConstraint], _ mergesNames: Bool) -> Double {
    var states = counts.reduce(1.0) { $0 * Double($1 + 1) }
    if mergesNames {
      // As many as there are multisets of what is left of each.
      let most = Double(counts.max() ?? 0)
      states = min(states, (0..<counts.count).reduce(1.0) { $0 * (most + 1 + Double($1)) / Double($1 + 1) })
    }
    return states
  }
}

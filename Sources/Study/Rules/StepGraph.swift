/// Which steps may follow which; the number after the last step's is the end of the trial.
struct StepGraph {
  /// The steps that may be shown after each, when that one is left, or is not shown because of its rule.
  let successors: [[Int]]

  init(_ successors: [[Int]]) { self.successors = successors }

  /// The nodes that can be reached from some nodes, these included.
  func reachable(from starts: [Int]) -> [Bool] {
    var isReached = Array(repeating: false, count: successors.count)
    var open = starts
    while let node = open.popLast() {
      guard !isReached[node] else { continue }
      isReached[node] = true
      open += successors[node]
    }
    return isReached
  }

  /// The same nodes with every arrow turned round.
  var reversed: StepGraph {
    var predecessors: [[Int]] = Array(repeating: [], count: successors.count)
    for (node, next) in successors.enumerated() { for other in next { predecessors[other].append(node) } }
    return StepGraph(predecessors)
  }

  /// The number of each node's cycle; `nil` for a node that is in none.
  ///
  /// Two nodes share a number if each can be reached from the other: the strongly connected components, by Kosaraju.
  var cycles: [Int?] {
    var component: [Int?] = Array(repeating: nil, count: successors.count)
    let reversed = reversed
    var members: [[Int]] = []
    for start in finishingOrder.reversed() where component[start] == nil {
      var open = [start]
      var nodes: [Int] = []
      while let node = open.popLast() {
        guard component[node] == nil else { continue }
        component[node] = members.count
        nodes.append(node)
        open += reversed.successors[node].filter { component[$0] == nil }
      }
      members.append(nodes)
    }
    return component.enumerated().map { node, number in
      guard let number else { return nil }
      return members[number].count > 1 || successors[node].contains(node) ? number : nil
    }
  }

  /// The nodes in the order in which a search in depth leaves them.
  private var finishingOrder: [Int] {
    var isSeen = Array(repeating: false, count: successors.count)
    var order: [Int] = []
    for start in successors.indices where !isSeen[start] {
      var path = [(node: start, next: 0)]
      isSeen[start] = true
      while let (node, next) = path.last {
        guard next < successors[node].count else {
          order.append(node)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let other = successors[node][next]
        guard !isSeen[other] else { continue }
        isSeen[other] = true
        path.append((other, 0))
      }
    }
    return order
  }
}

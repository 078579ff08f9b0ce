import Basics
import Testing

@testable import Study

@Suite struct OrderTests {
  private static func draw(
    _ order: TrialOrder, _ cells: Int, _ repetitions: Int, row: Int = 0, _ constraints: [OrderConstraint] = [],
    seed: UInt64 = 1
  ) throws -> [Int] {
    var random = Xoshiro256StarStar(seed: seed)
    return try order.cells(cells, repetitions: repetitions, row: row, constraints: constraints, random: &random)
  }

  /// A limit on the conditions themselves.
  private static func limit(_ limit: OrderConstraint.Limit, _ cells: Int) -> OrderConstraint {
    OrderConstraint(limit, labels: Array(0..<cells))
  }

  // MARK: Squares

  @Test("In a Latin square each condition comes once in each row and at each position", arguments: 1...24)
  func cyclic(_ count: Int) {
    let square = LatinSquare.cyclic(count)
    #expect(square.count == count)
    for row in square { #expect(row.sorted() == Array(0..<count)) }
    for position in 0..<count { #expect(square.map { $0[position] }.sorted() == Array(0..<count)) }
  }

  @Test("In Williams' square each condition also follows each other one equally often", arguments: 1...24)
  func williams(_ count: Int) {
    let square = LatinSquare.balanced(count)
    let copies = count.isMultiple(of: 2) || count == 1 ? 1 : 2
    #expect(square.count == count * copies)
    for row in square { #expect(row.sorted() == Array(0..<count)) }
    for position in 0..<count {
      #expect(square.map { $0[position] }.sorted() == (0..<count).flatMap { Array(repeating: $0, count: copies) })
    }
    var followers: [[Int]: Int] = [:]
    for row in square { for (one, next) in zip(row, row.dropFirst()) { followers[[one, next], default: 0] += 1 } }
    #expect(followers.count == count * (count - 1))
    #expect(Set(followers.values).isSubset(of: [copies]))
  }

  @Test func `The balanced square of four is the one that is published`() {
    // Bradley, J. V. (1958), Journal of the American Statistical Association 53, 525-528: 1 2 n 3 n-1 …
    #expect(LatinSquare.balanced(4) == [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]])
  }

  @Test func `Each block of a square takes the next row`() throws {
    let order = try Self.draw(.latinSquare, 3, 4, row: 2)
    #expect(order == [2, 0, 1, 0, 1, 2, 1, 2, 0, 2, 0, 1])
  }

  // MARK: Random orders

  struct Design: Sendable {
    var order = TrialOrder.random
    var cells: Int
    var repetitions: Int
    var constraints: [OrderConstraint] = []
  }

  static let designs = [
    Design(cells: 3, repetitions: 2),
    Design(cells: 3, repetitions: 2, constraints: [limit(.maxRun(1), 3)]),
    Design(cells: 2, repetitions: 4, constraints: [limit(.maxRun(2), 2)]),
    Design(cells: 3, repetitions: 3, constraints: [limit(.maxRun(2), 3)]),
    Design(cells: 3, repetitions: 2, constraints: [limit(.minDistance(3), 3)]),
    Design(cells: 3, repetitions: 2, constraints: [limit(.minDistance(2), 3)]),
    Design(order: .randomBlocks, cells: 3, repetitions: 2),
    Design(order: .randomBlocks, cells: 3, repetitions: 3, constraints: [limit(.maxRun(1), 3)]),
    Design(order: .randomBlocks, cells: 4, repetitions: 2, constraints: [limit(.minDistance(3), 4)]),
    // Two factors of two levels: their runs are limited together.
    Design(
      cells: 4, repetitions: 1,
      constraints: [
        OrderConstraint(.maxRun(1), labels: [0, 0, 1, 1]), OrderConstraint(.maxRun(2), labels: [0, 1, 0, 1]),
      ]),
    Design(
      order: .randomBlocks, cells: 4, repetitions: 2,
      constraints: [OrderConstraint(.maxRun(2), labels: [0, 0, 0, 1])]),
  ]

  /// All orders of a design that its constraints allow, found without the code that draws them.
  private static func all(_ design: Design) -> Set<[Int]> {
    let blocks = design.order == .random ? 1 : design.repetitions
    let each = design.order == .random ? design.repetitions : 1
    var orders: [[Int]] = [[]]
    for _ in 0..<blocks {
      for _ in 0..<each * design.cells {
        orders = orders.flatMap { order -> [[Int]] in
          let start = order.count / (each * design.cells) * (each * design.cells)
          return (0..<design.cells).filter { cell in order[start...].count { $0 == cell } < each }.map { order + [$0] }
        }
      }
    }
    return Set(orders.filter { order in design.constraints.allSatisfy { Self.keeps($0, order) } })
  }

  private static func keeps(_ constraint: OrderConstraint, _ order: [Int]) -> Bool {
    let labels = order.map { constraint.labels[$0] }
    switch constraint.limit {
    case .maxRun(let most):
      return labels.indices.dropLast(most).allSatisfy { Set(labels[$0...$0 + most]).count > 1 }
    case .minDistance(let distance):
      return labels.indices.allSatisfy { one in
        labels.indices.allSatisfy { $0 <= one || $0 - one >= distance || labels[$0] != labels[one] }
      }
    }
  }

  @Test("Each order that keeps the constraints is equally likely", arguments: designs)
  func isUniform(_ design: Design) throws {
    let all = Self.all(design)
    var random = Xoshiro256StarStar(seed: 20_261_123)
    var counts: [[Int]: Int] = [:]
    let (each, blocks) = design.order == .random ? (design.repetitions, 1) : (1, design.repetitions)
    // The graph is that of each draw; it is made once here because that takes most of the time.
    let graph = OrderAutomaton(
      counts: Array(repeating: each, count: design.cells), blocks: blocks, constraints: design.constraints)
    for _ in 0..<60 * all.count {
      let order =
        try design.constraints.isEmpty
        ? design.order.cells(design.cells, repetitions: design.repetitions, random: &random)
        : #require(graph?.draw(&random))
      counts[order, default: 0] += 1
    }
    #expect(Set(counts.keys) == all)
    let chiSquare = all.reduce(0.0) { sum, order in
      let difference = Double(counts[order] ?? 0) - 60
      return sum + difference * difference / 60
    }
    // Wilson and Hilferty's normal approximation of the chi-square distribution.
    let freedom = Double(all.count - 1)
    let z = ((chiSquare / freedom).cubeRoot - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)).squareRoot()
    #expect(abs(z) < 3)
  }

  @Test(
    "Orders of large designs keep their constraints",
    arguments: [
      Design(cells: 4, repetitions: 250, constraints: [limit(.maxRun(2), 4)]),
      Design(order: .randomBlocks, cells: 4, repetitions: 250, constraints: [limit(.maxRun(2), 4)]),
      Design(order: .randomBlocks, cells: 5, repetitions: 200, constraints: [limit(.maxRun(1), 5)]),
      Design(cells: 2, repetitions: 500, constraints: [limit(.maxRun(1), 2)]),
      Design(cells: 12, repetitions: 40, constraints: [limit(.minDistance(6), 12)]),
    ])
  func large(_ design: Design) throws {
    let order = try Self.draw(design.order, design.cells, design.repetitions, design.constraints)
    for cell in 0..<design.cells { #expect(order.count { $0 == cell } == design.repetitions) }
    for constraint in design.constraints { #expect(Self.keeps(constraint, order)) }
    if design.order == .randomBlocks {
      for start in stride(from: 0, to: order.count, by: design.cells) {
        #expect(order[start..<start + design.cells].sorted() == Array(0..<design.cells))
      }
    }
  }

  @Test func `A constraint that one condition alone cannot keep is named`() {
    let labels = OrderConstraint(.maxRun(1), labels: [0, 0, 0, 1])
    #expect(
      throws: OrderError.impossible(.init(constraint: labels, label: 0, count: 6, trials: 8, most: 3))
    ) { try Self.draw(.random, 4, 2, [labels]) }
    let distance = Self.limit(.minDistance(4), 3)
    #expect(
      throws: OrderError.impossible(.init(constraint: distance, label: 0, count: 5, trials: 15, most: 4))
    ) { try Self.draw(.random, 3, 5, [distance]) }
  }

  @Test func `The same seed gives the same order, and another one another`() throws {
    let constraint = Self.limit(.maxRun(2), 4)
    let orders = try (0..<20).map { try Self.draw(.random, 4, 8, [constraint], seed: $0 / 2) }
    #expect(Set(orders).count == 10)
    for pair in stride(from: 0, to: 20, by: 2) { #expect(orders[pair] == orders[pair + 1]) }
  }
}

extension Double {
  fileprivate var cubeRoot: Double { self == 0 ? 0 : (self < 0 ? -1 : 1) * _cubeRoot(abs(self)) }
}

/// Newton's iteration.
private func _cubeRoot(_ number: Double) -> Double {
  var root = max(1, number)
  for _ in 0..<200 { root -= (root * root * root - number) / (3 * root * root) }
  return root
}

/// A square of orders: each condition comes equally often at each position.
package enum LatinSquare {
  /// The cyclic square of so many conditions: row `i` is `i, i + 1, …` modulo the count.
  package static func cyclic(_ count: Int) -> [[Int]] {
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
  package static func balanced(_ count: Int) -> [[Int]] {
    let first = (0..<count).map { $0.isMultiple(of: 2) ? (count - $0 / 2) % count : ($0 + 1) / 2 }
    let rows = (0..<count).map { row in first.map { ($0 + row) % count } }
    return count.isMultiple(of: 2) || count == 1 ? rows : rows + rows.map { Array($0.reversed()) }
  }
}

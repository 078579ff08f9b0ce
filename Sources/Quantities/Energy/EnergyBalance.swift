/// What was eaten against what was spent.
package struct EnergyBalance: Hashable, Sendable {
  /// Eaten and drunk, in kilocalories; zero where nothing was recorded.
  package let consumed: Quantity

  /// Spent by moving, in kilocalories; zero where nothing was recorded.
  package let active: Quantity

  /// Spent at rest, in kilocalories.
  package let resting: Quantity

  /// A balance.
  ///
  /// - Parameters:
  ///   - consumed: what was eaten and drunk; `nil` where nothing was recorded.
  ///   - active: what was spent by moving; `nil` where nothing was recorded.
  ///   - resting: what was spent at rest. Without it there is no balance: it is not zero where it is not known.
  /// - Throws: ``QuantityError/incompatible(from:to:)`` for what is no energy.
  package init(consumed: Quantity?, active: Quantity?, resting: Quantity) throws(QuantityError) {
    let none = Quantity(checked: 0, .kilocalorie)
    self.consumed = try (consumed ?? none).converted(to: .kilocalorie)
    self.active = try (active ?? none).converted(to: .kilocalorie)
    self.resting = try resting.converted(to: .kilocalorie)
  }

  /// Consumed less active less resting, in kilocalories: above zero for a surplus.
  package var net: Quantity { Quantity(checked: consumed.value - active.value - resting.value, .kilocalorie) }
}

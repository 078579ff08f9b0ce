/// Energy intake against energy expenditure.
package struct EnergyBalance: Hashable, Sendable {
  /// The intake of food and drink in kilocalories; zero without records.
  package let consumed: Quantity

  /// The active energy in kilocalories; zero without records.
  package let active: Quantity

  /// The resting energy in kilocalories.
  package let resting: Quantity

  /// Creates a balance.
  ///
  /// - Parameters:
  ///   - consumed: the intake; `nil` without records.
  ///   - active: the active energy; `nil` without records.
  ///   - resting: the resting energy. It is required, because an unknown value is not zero.
  /// - Throws: ``QuantityError/incompatible(from:to:)`` for a quantity that is not an energy.
  package init(consumed: Quantity?, active: Quantity?, resting: Quantity) throws(QuantityError) {
    let none = Quantity(checked: 0, .kilocalorie)
    self.consumed = try (consumed ?? none).converted(to: .kilocalorie)
    self.active = try (active ?? none).converted(to: .kilocalorie)
    self.resting = try resting.converted(to: .kilocalorie)
  }

  /// Intake minus active and resting energy, in kilocalories: positive for a surplus.
  package var net: Quantity { Quantity(checked: consumed.value - active.value - resting.value, .kilocalorie) }
}

package import Basics

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

/// A person's biological sex, as in HealthKit.
package enum BiologicalSex: String, Hashable, Sendable, CaseIterable {
  /// Not specified.
  case notSet
  case female
  case male
  case other
}

/// The input to the resting-energy formulas; unknown values are `nil` or `notSet`.
package struct EnergyProfile: Hashable, Sendable {
  /// The day of birth.
  var dateOfBirth: CalendarDate?
  var biologicalSex: BiologicalSex
  /// The body height, in any unit of length.
  var height: Quantity?
  /// The body mass, in any unit of mass.
  var bodyMass: Quantity?

  package init(
    dateOfBirth: CalendarDate? = nil, biologicalSex: BiologicalSex = .notSet, height: Quantity? = nil,
    bodyMass: Quantity? = nil
  ) {
    self.dateOfBirth = dateOfBirth
    self.biologicalSex = biologicalSex
    self.height = height
    self.bodyMass = bodyMass
  }

  /// The names of the missing values, for messages.
  var missing: [String] {
    [
      dateOfBirth == nil ? "date of birth" : nil, biologicalSex == .notSet ? "biological sex" : nil,
      height == nil ? "height" : nil, bodyMass == nil ? "body mass" : nil,
    ].compactMap(\.self)
  }
}

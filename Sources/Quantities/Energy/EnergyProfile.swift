package import Basics

/// A person's biological sex, in HealthKit's words.
package enum BiologicalSex: String, Hashable, Sendable, CaseIterable {
  /// Nobody said.
  case notSet
  /// Female.
  case female
  /// Male.
  case male
  /// Neither.
  case other
}

/// What resting energy is computed from; what is not known is `nil` or `notSet`.
package struct EnergyProfile: Hashable, Sendable {
  /// The day of birth.
  package var dateOfBirth: CalendarDate?
  /// The biological sex.
  package var biologicalSex: BiologicalSex
  /// How tall the person is, in any unit of length.
  package var height: Quantity?
  /// What the person weighs, in any unit of mass.
  package var bodyMass: Quantity?

  /// A profile.
  package init(
    dateOfBirth: CalendarDate? = nil, biologicalSex: BiologicalSex = .notSet, height: Quantity? = nil,
    bodyMass: Quantity? = nil
  ) {
    self.dateOfBirth = dateOfBirth
    self.biologicalSex = biologicalSex
    self.height = height
    self.bodyMass = bodyMass
  }

  /// The names of what is not known, as messages have them.
  package var missing: [String] {
    [
      dateOfBirth == nil ? "date of birth" : nil, biologicalSex == .notSet ? "biological sex" : nil,
      height == nil ? "height" : nil, bodyMass == nil ? "body mass" : nil,
    ].compactMap(\.self)
  }
}

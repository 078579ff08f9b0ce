package import Basics

/// A person's biological sex, as in HealthKit.
package enum BiologicalSex: String, Hashable, Sendable, CaseIterable {
  /// Not specified.
  case notSet
  /// Female.
  case female
  /// Male.
  case male
  /// Neither.
  case other
}

/// The input to the resting-energy formulas; unknown values are `nil` or `notSet`.
package struct EnergyProfile: Hashable, Sendable {
  /// The day of birth.
  package var dateOfBirth: CalendarDate?
  /// The biological sex.
  package var biologicalSex: BiologicalSex
  /// The body height, in any unit of length.
  package var height: Quantity?
  /// The body mass, in any unit of mass.
  package var bodyMass: Quantity?

  /// Creates a profile.
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
  package var missing: [String] {
    [
      dateOfBirth == nil ? "date of birth" : nil, biologicalSex == .notSet ? "biological sex" : nil,
      height == nil ? "height" : nil, bodyMass == nil ? "body mass" : nil,
    ].compactMap(\.self)
  }
}

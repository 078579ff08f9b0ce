package import Basics
package import Quantities

/// A participant's characteristics, which do not change from sample to sample, as in HealthKit.
package struct Characteristics: Hashable, Sendable {
  /// The day of birth; `nil` if it is not set.
  package var dateOfBirth: CalendarDate?

  /// The biological sex.
  package var biologicalSex: BiologicalSex

  /// Creates characteristics.
  package init(dateOfBirth: CalendarDate? = nil, biologicalSex: BiologicalSex = .notSet) {
    self.dateOfBirth = dateOfBirth
    self.biologicalSex = biologicalSex
  }
}

extension SampleStore {
  /// A participant's characteristics; for the operator only.
  ///
  /// - Parameter person: the participant's code; empty for a store of one person.
  /// - Returns: the stored values; `nil` and `notSet` for the others.
  /// - Throws: ``StoreError``.
  package func characteristics(of person: String = "") async throws -> Characteristics {
    try requireOperator()
    return try await core.characteristics(of: person)
  }

  /// Replaces a participant's characteristics; for the operator only.
  ///
  /// - Throws: ``StoreError`` for a code above 1024 bytes.
  package func setCharacteristics(_ characteristics: Characteristics, of person: String = "") async throws {
    try await changeCharacteristics(of: person) { $0 = characteristics }
  }

  /// Updates a participant's characteristics without losing concurrent changes of other processes; for the operator
  /// only.
  ///
  /// - Parameters:
  ///   - person: the participant's code; empty for a store of one person.
  ///   - change: modifies the stored characteristics; it may run several times.
  /// - Throws: ``StoreError`` for a code above 1024 bytes.
  package func changeCharacteristics(
    of person: String = "", _ change: @escaping @Sendable (inout Characteristics) -> Void
  ) async throws {
    try requireOperator()
    try SampleRules.check(person, "the person's code", mayBeEmpty: true)
    try await core.changeCharacteristics(of: person, change)
  }
}

extension StoreCore {
  private enum Key {
    static let dateOfBirth = "HKCharacteristicTypeIdentifierDateOfBirth"
    static let biologicalSex = "HKCharacteristicTypeIdentifierBiologicalSex"
  }

  func characteristics(of person: String) throws -> Characteristics {
    try reading { try known(of: person) }
  }

  private func known(of person: String) throws -> Characteristics {
    let values = try engine.characteristics(person)
    return Characteristics(
      dateOfBirth: values[Key.dateOfBirth].flatMap { CalendarDate($0) },
      biologicalSex: values[Key.biologicalSex].flatMap { BiologicalSex(rawValue: $0) } ?? .notSet)
  }

  func changeCharacteristics(of person: String, _ change: (inout Characteristics) -> Void) throws {
    try writing {
      var characteristics = try known(of: person)
      change(&characteristics)
      try engine.set(Key.dateOfBirth, of: person, to: characteristics.dateOfBirth.map { "\($0)" })
      let sex = characteristics.biologicalSex
      try engine.set(Key.biologicalSex, of: person, to: sex == .notSet ? nil : sex.rawValue)
    }
  }
}

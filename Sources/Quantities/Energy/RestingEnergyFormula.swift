package import Basics

/// A formula for resting energy from mass, height, age and sex.
package enum RestingEnergyFormula: String, Hashable, Sendable, CaseIterable {
  /// Harris and Benedict (1919) with the rounded coefficients of Apple's sample “Fit”.
  case harrisBenedict
  /// Mifflin, St Jeor and others (1990).
  ///
  /// “A new predictive equation for resting energy expenditure in healthy individuals”.
  case mifflinStJeor

  /// The coefficients of a formula.
  private typealias Coefficients = (constant: Double, perKilogram: Double, perCentimeter: Double, perYear: Double)

  // As in the sample, every value but male uses the coefficients for women; both papers cover two sexes only.
  private func coefficients(_ sex: BiologicalSex) -> Coefficients {
    switch (self, sex) {
    case (.harrisBenedict, .male): (66, 13.8, 5, -6.8)
    case (.harrisBenedict, _): (655, 9.6, 1.8, -4.7)
    case (.mifflinStJeor, .male): (5, 10, 6.25, -5)
    case (.mifflinStJeor, _): (-161, 10, 6.25, -5)
    }
  }

  /// The resting energy of a whole day, in kilocalories.
  ///
  /// - Parameters:
  ///   - profile: the person.
  ///   - date: the day on which the age, in whole years, is taken.
  /// - Returns: the energy; positive.
  /// - Throws: ``QuantityError/missing(_:for:)`` with the names of all missing values, and
  ///   ``QuantityError/implausible(_:)`` for values outside the formula's range.
  func energyPerDay(of profile: EnergyProfile, on date: CalendarDate) throws(QuantityError) -> Quantity {
    guard let birth = profile.dateOfBirth, let height = profile.height, let mass = profile.bodyMass,
      profile.biologicalSex != .notSet
    else { throw .missing(profile.missing, for: "resting energy") }
    let age = birth.years(until: date)
    guard age >= 0 else { throw .implausible("the date of birth, \(birth), lies after \(date)") }
    let kilograms = try mass.value(in: .kilogram)
    let centimeters = try height.value(in: .centimeter)
    guard kilograms > 0 else { throw .implausible("a body mass of \(mass) is none") }
    guard centimeters > 0 else { throw .implausible("a height of \(height) is none") }
    let (constant, perKilogram, perCentimeter, perYear) = coefficients(profile.biologicalSex)
    let energy = constant + perKilogram * kilograms + perCentimeter * centimeters + perYear * Double(age)
    guard energy > 0 else {
      throw .implausible("\(mass), \(height) and \(age) years make a resting energy of \(energy) kcal a day")
    }
    return try Quantity(energy, .kilocalorie)
  }

  /// The resting energy since the start of the day, in kilocalories, in proportion to the elapsed time.
  ///
  /// - Parameters:
  ///   - profile: the person.
  ///   - date: the day.
  ///   - day: from the start of the day to that of the next one, 23, 24 or 25 hours later.
  ///   - now: the end of the elapsed time; clamped to the day.
  /// - Returns: the energy.
  /// - Throws: as `energyPerDay(of:on:)` does.
  /// - Precondition: the day is not empty.
  package func energy(
    of profile: EnergyProfile, on date: CalendarDate, within day: Range<WallTime>, until now: WallTime
  ) throws(QuantityError) -> Quantity {
    precondition(!day.isEmpty, "a day has a length")
    let whole = try energyPerDay(of: profile, on: date)
    let elapsed = day.lowerBound.duration(to: min(max(now, day.lowerBound), day.upperBound))
    let share = elapsed / day.lowerBound.duration(to: day.upperBound)
    return try Quantity(whole.value * share, .kilocalorie)
  }
}

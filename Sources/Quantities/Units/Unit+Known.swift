extension Unit {
  /// Beats or other events a minute: the unit in which people read heart rates.
  public static let countPerMinute = Unit(.count, per: .minute)
  /// Events a second: HealthKit's canonical unit of heart rate.
  public static let countPerSecond = Unit(.count, per: .second)
  /// A number of things: steps, beats.
  public static let count = Unit("count", 1)
  /// A fraction from 0.0 to 1.0, as in HealthKit: a saturation of 98 in a hundred is 0.98 of it.
  public static let percent = Unit("%", 1)
  /// Seconds.
  public static let second = Unit("s", 1)
  /// Milliseconds: the unit of RR intervals.
  public static let millisecond = Unit("ms", 1)
  /// Minutes.
  public static let minute = Unit("min", 1)
  /// Joules.
  public static let joule = Unit("J", 1)
  /// Kilojoules.
  public static let kilojoule = Unit("kJ", 1)
  /// Kilocalories of 4184 J: the Calories of food.
  public static let kilocalorie = Unit("kcal", 1)
  /// Kilograms.
  public static let kilogram = Unit("kg", 1)
  /// Metres.
  public static let meter = Unit("m", 1)
  /// Centimetres.
  public static let centimeter = Unit("cm", 1)
  /// The A-weighted level of a sound.
  public static let decibelAWeightedSoundPressureLevel = Unit("dBASPL", 1)

  private init(_ above: Unit, per below: Unit) {
    self = above
    for var factor in below.factors {
      factor.exponent = -factor.exponent
      precondition(multiply(by: factor), "a known unit has small exponents")
    }
  }

  private init(_ symbol: String, _ exponent: Int16) {
    guard let index = UnitSymbol.index(of: UnitSymbol.Key(symbol)) else {
      preconditionFailure("“\(symbol)” is a symbol")
    }
    self = .null
    precondition(
      multiply(by: Factor(symbol: index, exponent: exponent, molarMass: 0)), "a known unit has small exponents")
  }
}

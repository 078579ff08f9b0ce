extension Unit {
  /// Beats or other events a minute: the unit in which people read heart rates.
  public static let countPerMinute = Unit(known: "count", per: "min")
  /// Events a second: HealthKit's canonical unit of heart rate.
  public static let countPerSecond = Unit(known: "count", per: "s")
  /// A number of things: steps, beats.
  public static let count = Unit(known: "count")
  /// A fraction from 0.0 to 1.0, as in HealthKit: a saturation of 98 in a hundred is 0.98 of it.
  public static let percent = Unit(known: "%")
  /// Seconds.
  public static let second = Unit(known: "s")
  /// Milliseconds: the unit of RR intervals.
  public static let millisecond = Unit(known: "ms")
  /// Minutes.
  public static let minute = Unit(known: "min")
  /// Joules.
  public static let joule = Unit(known: "J")
  /// Kilojoules.
  public static let kilojoule = Unit(known: "kJ")
  /// Small calories, of 4.184 J.
  public static let calorie = Unit(known: "cal")
  /// Kilocalories of 4184 J: the Calories of food.
  public static let kilocalorie = Unit(known: "kcal")
  /// Kilograms.
  public static let kilogram = Unit(known: "kg")
  /// Metres.
  public static let meter = Unit(known: "m")
  /// Centimetres.
  public static let centimeter = Unit(known: "cm")
  /// The A-weighted level of a sound.
  public static let decibelAWeightedSoundPressureLevel = Unit(known: "dBASPL")

  private init(known above: String, per below: String? = nil) {
    var product = Product()
    for (symbol, exponent) in [(above, Int16(1)), (below, -1)] {
      guard let symbol else { continue }
      guard let index = UnitSymbol.index(of: UnitSymbol.Key(symbol)),
        product.multiply(by: Factor(symbol: index, exponent: exponent))
      else { preconditionFailure("“\(symbol)” is a symbol") }
    }
    self.init(product)
  }
}

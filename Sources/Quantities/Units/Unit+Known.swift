extension Unit {
  /// Beats or other events per minute: the display unit of heart rates.
  package static let countPerMinute = Unit(known: "count", per: "min")
  /// Events per second: HealthKit's canonical unit of heart rate.
  package static let countPerSecond = Unit(known: "count", per: "s")
  /// A count: steps, beats.
  package static let count = Unit(known: "count")
  /// A fraction from 0.0 to 1.0, as in HealthKit: a saturation of 98 out of 100 is 0.98 in this unit.
  package static let percent = Unit(known: "%")
  /// Seconds.
  package static let second = Unit(known: "s")
  /// Milliseconds: the unit of RR intervals.
  package static let millisecond = Unit(known: "ms")
  /// Minutes.
  package static let minute = Unit(known: "min")
  /// Joules.
  package static let joule = Unit(known: "J")
  /// Kilojoules.
  package static let kilojoule = Unit(known: "kJ")
  /// Small calories, of 4.184 J.
  package static let calorie = Unit(known: "cal")
  /// Kilocalories of 4184 J: the calories of food labels.
  package static let kilocalorie = Unit(known: "kcal")
  /// Kilograms.
  package static let kilogram = Unit(known: "kg")
  /// Metres.
  package static let meter = Unit(known: "m")
  /// Centimetres.
  package static let centimeter = Unit(known: "cm")
  /// The A-weighted sound pressure level in decibels.
  package static let decibelAWeightedSoundPressureLevel = Unit(known: "dBASPL")

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

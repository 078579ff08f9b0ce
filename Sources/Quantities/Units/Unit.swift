import Basics

/// A unit of measurement in HealthKit's grammar: `count/min`, `kcal/(kg*hr)`, `mmol<180.1558>/L`.
///
/// Units are equal if they are the same powers of the same symbols, however they were written: `kg/m.s^2` and
/// `kg.m^-1.s^-2`, but not `kcal` and `Cal`.
package struct Unit: Hashable, Sendable, CustomStringConvertible {
  /// The powers of symbols in printing order.
  let factors: Product

  /// The dimension; units convert only within one dimension.
  package private(set) var dimension = Dimension.none

  // The unit equals `multiplier / divisor` base units.
  private(set) var multiplier = 1.0
  private(set) var divisor = 1.0
  // The reading at 0 °C; powers and products of temperature units measure differences.
  private var zero = 0.0

  /// The dimensionless unit: `()`.
  static let null = Unit(Product())

  /// Whether values can be converted to another unit.
  package func isCompatible(with other: Unit) -> Bool { dimension == other.dimension }

  /// Converts a value to another unit of the same dimension; not finite on overflow.
  ///
  /// - Precondition: both units have the same dimension.
  package func convert(_ value: Double, to other: Unit) -> Double {
    precondition(isCompatible(with: other), "Attempt to convert incompatible units: \(self), \(other)")
    guard self != other else { return value }
    return (value - zero) * (multiplier * other.divisor) / (divisor * other.multiplier) + other.zero
  }

  /// Whether the unit's size is representable as a normal floating-point number.
  var isMeasurable: Bool { multiplier.isNormal && divisor.isNormal && (multiplier / divisor).isNormal }

  init(_ product: Product) {
    factors = product
    for factor in product.all {
      let symbol = UnitSymbol.all[Int(factor.symbol)]
      dimension.multiply(by: symbol.dimension, raisedTo: factor.exponent)
      let size = symbol.takesMolarMass ? symbol.multiplier * factor.molarMass : symbol.multiplier
      for _ in 0..<factor.exponent.magnitude {
        multiplier *= factor.exponent > 0 ? size : symbol.divisor
        divisor *= factor.exponent > 0 ? symbol.divisor : size
      }
    }
    if product.count == 1, let factor = product.all.first, factor.exponent == 1 {
      zero = UnitSymbol.all[Int(factor.symbol)].zero
    }
  }

  /// Whether both are the same powers of the same symbols.
  package static func == (left: Unit, right: Unit) -> Bool { left.factors == right.factors }

  package func hash(into hasher: inout Hasher) { hasher.combine(factors) }
}

extension Unit {
  /// HealthKit's unit string, which parses to the same unit: `count/min`, `mL/min·kg`, `1/s`, `()`.
  package var symbol: String {
    let powers = factors.all.map { factor in
      let symbol = UnitSymbol.all[Int(factor.symbol)]
      let name = symbol.takesMolarMass ? "\(symbol.text)<\(Self.text(factor.molarMass))>" : symbol.text
      return (name: name, power: Int(factor.exponent))
    }
    return powers.isEmpty ? "()" : Self.product(of: powers)
  }

  package var description: String { symbol }

  /// Formats names with their powers, the negative ones after one slash.
  static func product(of powers: [(name: String, power: Int)]) -> String {
    func joined(_ powers: some Sequence<(name: String, power: Int)>) -> String {
      powers.map { $0.power.magnitude == 1 ? $0.name : "\($0.name)^\($0.power.magnitude)" }.joined(separator: "·")
    }
    let above = joined(powers.lazy.filter { $0.power > 0 })
    let below = joined(powers.lazy.filter { $0.power < 0 })
    return below.isEmpty ? above : "\(above.isEmpty ? "1" : above)/\(below)"
  }

  private static func text(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Unit {
  /// A value with the unit as people read it: `2.31 mcS`, and of the fraction 0.95 in the unit `%`, `95 %`.
  package func text(of value: Double) -> String { "\((self == .percent ? value * 100 : value).brief) \(self)" }
}

extension Unit {
  /// Beats or other events per minute: the display unit of heart rates.
  package static let countPerMinute = Unit(known: "count", per: "min")
  /// Events per second: HealthKit's canonical unit of heart rate.
  static let countPerSecond = Unit(known: "count", per: "s")
  /// A count: steps, beats.
  package static let count = Unit(known: "count")
  /// A fraction from 0.0 to 1.0, as in HealthKit: a saturation of 98 out of 100 is 0.98 in this unit.
  package static let percent = Unit(known: "%")
  package static let second = Unit(known: "s")
  /// Milliseconds: the unit of RR intervals.
  package static let millisecond = Unit(known: "ms")
  static let minute = Unit(known: "min")
  static let joule = Unit(known: "J")
  package static let kilojoule = Unit(known: "kJ")
  /// Small calories, of 4.184 J.
  static let calorie = Unit(known: "cal")
  /// Kilocalories of 4184 J: the calories of food labels.
  package static let kilocalorie = Unit(known: "kcal")
  package static let kilogram = Unit(known: "kg")
  static let meter = Unit(known: "m")
  static let centimeter = Unit(known: "cm")
  static let decibelAWeightedSoundPressureLevel = Unit(known: "dBASPL")

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

extension Unit {
  /// A power of a symbol.
  ///
  /// Exponents are limited to ±99, and none of the 230 symbols has a base dimension beyond the third power, so that the
  /// sums of exponents in a ``Dimension`` fit into sixteen bits.
  struct Factor: Hashable, Sendable {
    /// The index of its symbol in ``UnitSymbol/all``.
    var symbol: UInt16
    var exponent: Int16
    /// The molar mass in g/mol; zero for symbols that take none.
    var molarMass = 0.0

    /// A placeholder for an unused factor.
    static let none = Factor(symbol: 0, exponent: 0)

    func comes(before other: Factor) -> Bool { (symbol, molarMass) < (other.symbol, other.molarMass) }
    func hasSymbol(of other: Factor) -> Bool { (symbol, molarMass) == (other.symbol, other.molarMass) }
  }

  /// Powers of symbols, sorted by symbol and molar mass, without duplicates and zero exponents.
  ///
  /// Nearly every unit has at most three factors; only longer products allocate.
  struct Product: Hashable, Sendable {
    private var first = Factor.none
    private var second = Factor.none
    private var third = Factor.none
    private var more: [Factor] = []
    private(set) var count = 0

    init() {}

    var all: some RandomAccessCollection<Factor> { (0..<count).lazy.map { self[$0] } }

    private subscript(index: Int) -> Factor {
      get {
        switch index {
        case 0: first
        case 1: second
        case 2: third
        default: more[index - 3]
        }
      }
      set {
        switch index {
        case 0: first = newValue
        case 1: second = newValue
        case 2: third = newValue
        default: more[index - 3] = newValue
        }
      }
    }

    /// Inserts a factor, or adds its exponent to that of the same symbol; `false` if that exceeds ±99.
    mutating func multiply(by factor: Factor) -> Bool {
      guard factor.exponent != 0 else { return true }
      var index = 0
      while index < count, self[index].comes(before: factor) { index += 1 }
      guard index < count, self[index].hasSymbol(of: factor) else {
        if count >= 3 { more.append(.none) }
        for place in stride(from: count, to: index, by: -1) { self[place] = self[place - 1] }
        self[index] = factor
        count += 1
        return true
      }
      self[index].exponent += factor.exponent
      guard self[index].exponent == 0 else { return self[index].exponent.magnitude <= 99 }
      count -= 1
      for place in index..<count { self[place] = self[place + 1] }
      self[count] = .none
      if count >= 3 { more.removeLast() }
      return true
    }
  }
}

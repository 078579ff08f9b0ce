/// A unit of measurement in HealthKit's grammar: `count/min`, `kcal/(kg*hr)`, `mmol<180.1558>/L`.
///
/// Two units are equal when they are the same powers of the same symbols, however they were written: `kg/m.s^2` and
/// `kg.m^-1.s^-2`, but not `kcal` and `Cal`.
public struct Unit: Hashable, Sendable, CustomStringConvertible {
  /// A power of a symbol.
  ///
  /// No exponent is beyond ±99, and none of the 230 symbols holds a base to more than its third power, so that the sums
  /// of exponents in a ``Dimension`` stay within sixteen bits.
  struct Factor: Hashable, Sendable {
    /// The index of its symbol in ``UnitSymbol/all``.
    var symbol: UInt16
    var exponent: Int16
    /// Grams a mole; zero for symbols that take none.
    var molarMass: Double

    /// What stands in the place of a factor that is not there.
    static let none = Factor(symbol: 0, exponent: 0, molarMass: 0)

    func comes(before other: Factor) -> Bool { (symbol, molarMass) < (other.symbol, other.molarMass) }
    func hasSymbol(of other: Factor) -> Bool { (symbol, molarMass) == (other.symbol, other.molarMass) }
  }

  // By symbol and molar mass, none twice, none to the power of zero. Nearly every unit has three at most; only the
  // others allocate.
  private var first = Factor.none
  private var second = Factor.none
  private var third = Factor.none
  private var more: [Factor] = []
  private var count = 0

  /// What it measures; only units of one dimension convert into each other.
  public private(set) var dimension = Dimension.none

  // One of it is `multiplier / divisor` of the base units.
  private(set) var multiplier = 1.0
  private(set) var divisor = 1.0
  // What it reads at 0 °C; a power of a temperature, or its product with another unit, measures differences.
  private var zero = 0.0

  /// The unit of what has none: `()`.
  public static let null = Unit()

  private init() {}

  /// Whether values convert between the two.
  public func isCompatible(with other: Unit) -> Bool { dimension == other.dimension }

  /// `value` of this unit in another of the same dimension; not finite when it is too large for that.
  ///
  /// - Precondition: both units have the same dimension.
  public func convert(_ value: Double, to other: Unit) -> Double {
    precondition(isCompatible(with: other), "Attempt to convert incompatible units: \(self), \(other)")
    guard self != other else { return value }
    return (value - zero) * (multiplier * other.divisor) / (divisor * other.multiplier) + other.zero
  }

  /// Whether its size is one that a number holds.
  var isMeasurable: Bool { multiplier.isNormal && divisor.isNormal && (multiplier / divisor).isNormal }

  /// Its factors in the order in which they are printed.
  var factors: some RandomAccessCollection<Factor> { (0..<count).lazy.map { self[$0] } }

  /// Multiplies it by a power of a symbol; `false` when an exponent leaves ±99.
  mutating func multiply(by factor: Factor) -> Bool {
    guard insert(factor) else { return false }
    let symbol = UnitSymbol.all[Int(factor.symbol)]
    dimension.multiply(by: symbol.dimension, raisedTo: factor.exponent)
    let size = symbol.takesMolarMass ? symbol.multiplier * factor.molarMass : symbol.multiplier
    for _ in 0..<factor.exponent.magnitude {
      if factor.exponent > 0 {
        multiplier *= size
        divisor *= symbol.divisor
      } else {
        multiplier *= symbol.divisor
        divisor *= size
      }
    }
    zero = count == 1 && first.exponent == 1 ? UnitSymbol.all[Int(first.symbol)].zero : 0
    return true
  }

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

  // Puts a factor in its place, or adds its exponent to that of the same symbol.
  private mutating func insert(_ factor: Factor) -> Bool {
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

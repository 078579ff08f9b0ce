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

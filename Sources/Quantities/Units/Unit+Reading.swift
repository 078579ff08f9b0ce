internal import Spelling

extension Unit {
  /// Reads HealthKit's grammar, and `beats/min` and `bpm` as `count/min`.
  ///
  ///     unit    = product [ "/" product ]
  ///     product = power { ( "." | "*" | "·" ) power }
  ///     power   = ( symbol | "mol<" number ">" | "(" unit ")" | "()" | "1" ) [ "^" [ "-" ] digits ]
  ///
  /// - Throws: ``QuantityError/notAUnit(_:reason:)``.
  public init(_ text: String) throws(QuantityError) {
    var key = UnitSymbol.Key()
    for byte in text.utf8.prefix(17) { key.append(byte) }
    if key.isWhole, let unit = Self.ready[key] {
      self = unit
      return
    }
    var reader = UnitReader(text)
    self = try reader.readAll()
  }

  // Single symbols, and spellings of others that the grammar does not have.
  private static let ready: [UnitSymbol.Key: Unit] = {
    var ready: [UnitSymbol.Key: Unit] = [:]
    for (index, symbol) in UnitSymbol.all.enumerated() where !symbol.takesMolarMass {
      var unit = Unit.null
      if unit.multiply(by: Factor(symbol: UInt16(index), exponent: 1, molarMass: 0)) {
        ready[UnitSymbol.Key(symbol.text)] = unit
      }
    }
    for spelling in ["count/min", "beats/min", "bpm"] { ready[UnitSymbol.Key(spelling)] = countPerMinute }
    return ready
  }()
}

/// Reads one unit, byte by byte.
private struct UnitReader {
  private let text: String
  private var rest: Substring.UTF8View

  init(_ text: String) {
    self.text = text
    rest = text[...].utf8
  }

  mutating func readAll() throws(QuantityError) -> Unit {
    guard !text.isEmpty else { throw fault("it is empty; the unit of what has none is “()”") }
    guard text.utf8.count <= 256 else { throw fault("it is longer than 256 bytes") }
    var unit = Unit.null
    try readUnit(into: &unit, power: 1)
    if let byte = rest.first { throw unexpected(byte) }
    guard unit.isMeasurable else { throw fault("it is too large or too small for a number to hold") }
    return unit
  }

  private mutating func readUnit(into unit: inout Unit, power: Int16) throws(QuantityError) {
    try readProduct(into: &unit, power: power)
    guard take("/") else { return }
    try readProduct(into: &unit, power: -power)
    if rest.first == UInt8(ascii: "/") {
      throw fault("it has more than one “/”; put what stands below it into one product, as in “mL/min·kg”")
    }
  }

  private mutating func readProduct(into unit: inout Unit, power: Int16) throws(QuantityError) {
    repeat { try readPower(into: &unit, power: power) } while takeMultiplication()
  }

  private mutating func readPower(into unit: inout Unit, power: Int16) throws(QuantityError) {
    guard let byte = rest.first else { throw fault("a unit is missing at its end") }
    if take("(") {
      var inner = Unit.null
      if rest.first != UInt8(ascii: ")") { try readUnit(into: &inner, power: 1) }
      guard take(")") else { throw rest.first.map(unexpected) ?? fault("a “)” is missing") }
      let exponent = try readExponent(of: power)
      for var factor in inner.factors {
        factor.exponent = try bounded(Int(factor.exponent) * Int(exponent))
        try multiply(&unit, by: factor)
      }
    } else if byte == UInt8(ascii: "1") {
      rest = rest.dropFirst()
      _ = try readExponent(of: power)
    } else {
      var factor = try readSymbol()
      factor.exponent = try readExponent(of: power)
      try multiply(&unit, by: factor)
    }
  }

  private mutating func readSymbol() throws(QuantityError) -> Unit.Factor {
    let start = rest
    var key = UnitSymbol.Key()
    while let byte = rest.first, Self.isSymbol(byte) {
      key.append(byte)
      rest = rest.dropFirst()
    }
    let name = String(Substring(start[start.startIndex..<rest.startIndex]))
    guard key.count > 0 else { throw rest.first.map(unexpected) ?? fault("a unit is missing at its end") }
    guard key.isWhole, let index = UnitSymbol.index(of: key) else { throw fault(Self.advice(for: name)) }
    guard UnitSymbol.all[Int(index)].takesMolarMass else {
      return Unit.Factor(symbol: index, exponent: 1, molarMass: 0)
    }
    guard take("<"), let end = rest.firstIndex(of: UInt8(ascii: ">")),
      let mass = Double(Substring(rest[rest.startIndex..<end])), mass.isNormal, mass > 0
    else { throw fault("“\(name)” takes the grams of a mole, as in “\(name)<180.1558>”") }
    rest = rest[rest.index(after: end)...]
    return Unit.Factor(symbol: index, exponent: 1, molarMass: mass)
  }

  // The exponent that follows, times that of what it stands in.
  private mutating func readExponent(of power: Int16) throws(QuantityError) -> Int16 {
    guard take("^") else { return power }
    let isNegative = take("-")
    var exponent = 0
    var digits = 0
    while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      exponent = min(1000, exponent * 10 + Int(byte - UInt8(ascii: "0")))
      digits += 1
      rest = rest.dropFirst()
    }
    guard digits > 0 else { throw fault("a whole number is missing after “^”") }
    return try bounded((isNegative ? -exponent : exponent) * Int(power))
  }

  private func bounded(_ exponent: Int) throws(QuantityError) -> Int16 {
    guard exponent.magnitude <= 99 else { throw fault("an exponent is beyond ±99") }
    return Int16(exponent)
  }

  private func multiply(_ unit: inout Unit, by factor: Unit.Factor) throws(QuantityError) {
    guard factor.exponent == 0 || unit.multiply(by: factor) else { throw fault("an exponent is beyond ±99") }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func takeMultiplication() -> Bool {
    if take(".") || take("*") { return true }
    guard rest.starts(with: "·".utf8) else { return false }
    rest = rest.dropFirst(2)
    return true
  }

  private static func isSymbol(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "%"):
      true
    default: false
    }
  }

  private func unexpected(_ byte: UInt8) -> QuantityError {
    let character = Substring(rest).first.map(String.init) ?? ""
    return fault("“\(character)” cannot stand at character \(text.count - Substring(rest).count + 1)")
  }

  private func fault(_ reason: String) -> QuantityError { .notAUnit(text, reason: reason) }

  private static func advice(for name: String) -> String {
    let others = [
      "h": "hr", "hour": "hr", "hours": "hr", "sec": "s", "second": "s", "seconds": "s", "minute": "min",
      "minutes": "min", "day": "d", "days": "d", "beat": "count", "beats": "count", "ug": "mcg", "us": "mcs",
      "C": "degC", "F": "degF", "percent": "%",
    ]
    let nearest = others[name] ?? Spelling.nearest(to: name, among: UnitSymbol.all.map(\.text))
    return "there is no unit “\(name)”" + (nearest.map { "; did you mean “\($0)”?" } ?? "")
  }
}

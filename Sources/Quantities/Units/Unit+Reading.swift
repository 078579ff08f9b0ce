import Basics

extension Unit {
  /// Parses HealthKit's grammar; `beats/min` and `bpm` are read as `count/min`.
  ///
  ///     unit    = product [ "/" product ]
  ///     product = power { ( "." | "*" | "·" ) power }
  ///     power   = ( symbol | "mol<" number ">" | "(" unit ")" | "()" | "1" ) [ "^" [ "-" ] digits ]
  ///
  /// - Throws: ``QuantityError/notAUnit(_:reason:)``.
  package init(_ text: String) throws(QuantityError) {
    var key = UnitSymbol.Key()
    for byte in text.utf8.prefix(17) { key.append(byte) }
    if key.isWhole, let unit = Self.ready[key] {
      self = unit
      return
    }
    var reader = UnitReader(text)
    self = try reader.readAll()
  }

  // Single symbols, and alternative spellings outside the grammar.
  private static let ready: [UnitSymbol.Key: Unit] = {
    var ready: [UnitSymbol.Key: Unit] = [:]
    for (index, symbol) in UnitSymbol.all.enumerated() where !symbol.takesMolarMass {
      var product = Product()
      if product.multiply(by: Factor(symbol: UInt16(index), exponent: 1)) {
        ready[UnitSymbol.Key(symbol.text)] = Unit(product)
      }
    }
    for spelling in ["count/min", "beats/min", "bpm"] { ready[UnitSymbol.Key(spelling)] = countPerMinute }
    return ready
  }()
}

/// A byte-wise parser of one unit.
private struct UnitReader {
  /// The maximum length of a unit in bytes, both as written and as printed.
  private static let maxLength = 512

  private let text: String
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func readAll() throws(QuantityError) -> Unit {
    guard !bytes.isEmpty else { throw fault("it is empty; the unit of what has none is “()”") }
    guard bytes.count <= Self.maxLength else { throw fault("it is longer than \(Self.maxLength) bytes") }
    var product = Unit.Product()
    try readUnit(into: &product, power: 1)
    guard next == nil else { throw unexpected() }
    let unit = Unit(product)
    guard unit.isMeasurable else { throw fault("it is too large or too small for a number to hold") }
    // The printed form has to parse too; a short text cannot have a form that is too long.
    guard bytes.count <= Self.maxLength / 4 || unit.symbol.utf8.count <= Self.maxLength else {
      throw fault("it is longer than \(Self.maxLength) bytes without its parentheses")
    }
    return unit
  }

  private mutating func readUnit(into product: inout Unit.Product, power: Int16) throws(QuantityError) {
    try readProduct(into: &product, power: power)
    guard take("/") else { return }
    try readProduct(into: &product, power: -power)
    if next == UInt8(ascii: "/") {
      throw fault("it has more than one “/”; put everything below it into one product, as in “mL/min·kg”")
    }
  }

  private mutating func readProduct(into product: inout Unit.Product, power: Int16) throws(QuantityError) {
    repeat { try readPower(into: &product, power: power) } while takeMultiplication()
  }

  private mutating func readPower(into product: inout Unit.Product, power: Int16) throws(QuantityError) {
    if take("(") {
      var inner = Unit.Product()
      if next != UInt8(ascii: ")") { try readUnit(into: &inner, power: 1) }
      guard take(")") else { throw next == nil ? fault("a “)” is missing") : unexpected() }
      let exponent = try readExponent(of: power)
      for var factor in inner.all {
        factor.exponent = try bounded(Int(factor.exponent) * Int(exponent))
        try multiply(&product, by: factor)
      }
    } else if take("1") {
      _ = try readExponent(of: power)
    } else {
      var factor = try readSymbol()
      factor.exponent = try readExponent(of: power)
      try multiply(&product, by: factor)
    }
  }

  private mutating func readSymbol() throws(QuantityError) -> Unit.Factor {
    let start = position
    var key = UnitSymbol.Key()
    while let byte = next, Self.isSymbol(byte) {
      key.append(byte)
      position += 1
    }
    guard position > start else { throw next == nil ? fault("a unit is missing at its end") : unexpected() }
    guard key.isWhole, let index = UnitSymbol.index(of: key) else {
      throw fault(Self.advice(for: string(from: start, to: position)))
    }
    guard UnitSymbol.all[Int(index)].takesMolarMass else {
      return Unit.Factor(symbol: index, exponent: 1)
    }
    guard take("<"), let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")),
      bytes[position..<end].allSatisfy("0123456789.eE+-".utf8.contains),
      let mass = Double(string(from: position, to: end)), mass.isNormal, mass > 0
    else {
      let name = UnitSymbol.all[Int(index)].text
      throw fault("“\(name)” takes the grams of a mole, as in “\(name)<180.1558>”")
    }
    position = end + 1
    return Unit.Factor(symbol: index, exponent: 1, molarMass: mass)
  }

  // The following exponent, multiplied by that of the enclosing parentheses.
  private mutating func readExponent(of power: Int16) throws(QuantityError) -> Int16 {
    guard take("^") else { return power }
    let isNegative = take("-")
    let start = position
    var exponent = 0
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      exponent = min(1000, exponent * 10 + Int(byte - UInt8(ascii: "0")))
      position += 1
    }
    guard position > start else { throw fault("a whole number is missing after “^”") }
    return try bounded((isNegative ? -exponent : exponent) * Int(power))
  }

  private func bounded(_ exponent: Int) throws(QuantityError) -> Int16 {
    guard exponent.magnitude <= 99 else { throw fault("an exponent is beyond ±99") }
    return Int16(exponent)
  }

  private func multiply(_ product: inout Unit.Product, by factor: Unit.Factor) throws(QuantityError) {
    guard product.multiply(by: factor) else { throw fault("an exponent is beyond ±99") }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func takeMultiplication() -> Bool {
    if take(".") || take("*") { return true }
    guard next == 0xC2, position + 1 < bytes.count, bytes[position + 1] == 0xB7 else { return false }
    position += 2
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

  private func string(from start: Int, to end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  private func unexpected() -> QuantityError {
    let rest = string(from: position, to: bytes.count)
    return fault("“\(rest.prefix(1))” cannot stand at character \(text.count - rest.count + 1)")
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

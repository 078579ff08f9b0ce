import Basics
import Glibc
import Testing

@Suite("A decimal number in bytes")
struct DecimalTests {
  private static func number(_ text: String, comma: Bool = false) -> Double? {
    Decimal.number(Array(text.utf8).span, comma: comma)
  }

  /// What the C library makes of a text, which rounds every decimal number to the nearest double.
  private static func reference(_ text: String) -> Double { unsafe text.withCString { unsafe strtod($0, nil) } }

  @Test(
    "is the double that strtod makes of it, to the last bit",
    arguments: [
      "0", "-0", "0.0", "-0.000", "7", "007", "72", "-3.5", "0.1", "830.1", "1.005", "1e3", "1E3", "1e+3", "1e-3",
      "-1.5e-7",
      // The ends of what one multiplication or division rounds correctly: 15 digits, powers of ten up to 22.
      "999999999999999", "9999999999999999", "0.123456789012345", "0.1234567890123456", "1e22", "1e23", "1e-22",
      "1e-23",
      "123456789012345e22", "123456789012345e-22", "0.5e23", "5e-23", "100000000000000000000000",
      // Halfway between two doubles, and the ends of all doubles.
      "9007199254740993", "9007199254740992.5", "1.7976931348623157e308", "2.2250738585072014e-308", "5e-324", "2e-324",
      "0e400", "0.000000000000000000000000000000000001", "18446744073709551616", "36893488147419103232.25",
      "+.5", ".5", "+72", "-.25e1",
    ])
  func good(text: String) {
    #expect(Self.number(text)?.bitPattern == Self.reference(text).bitPattern)
    let commas = String(text.map { $0 == "." ? "," : $0 })
    #expect(Self.number(commas, comma: true)?.bitPattern == Self.reference(text).bitPattern)
  }

  @Test(
    "is nothing else, nor a part of something else",
    arguments: [
      "", "-", "+", ".", "-.", "1.", "e5", "1e", "1e+", "--1", "+-1", "1-", "1.2.3", "1e5.5", "1e5e5", " 1", "1 ",
      "1,5",
      "1_000", "0x10", "nan", "inf", "-infinity", "1e309", "-1e999999999999", "١", "1\0", "½",
    ])
  func bad(text: String) { #expect(Self.number(text) == nil) }

  @Test("is another with a comma than with a point")
  func comma() {
    #expect(Self.number("1.5", comma: true) == nil)
    #expect(Self.number("1.000,5", comma: true) == nil)
    #expect(Self.number("1,5", comma: true) == 1.5)
  }

  /// Texts of up to 20 digits with a point anywhere and an exponent across all doubles.
  @Test(
    "is what strtod makes of it, for ten thousand numbers of each of several seeds",
    arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var differing: [String] = []
    for _ in 0..<10_000 {
      var text = random.next() % 2 == 0 ? "-" : ""
      text += (0...random.next() % 12).map { _ in String(random.next() % 10) }.joined()
      if random.next() % 2 == 0 {
        text += "." + (0...random.next() % 8).map { _ in String(random.next() % 10) }.joined()
      }
      switch random.next() % 4 {
      case 0: text += "e\(Int(random.next() % 50) - 25)"
      case 1: text += "E\(Int(random.next() % 700) - 350)"
      default: break
      }
      let reference = Self.reference(text)
      let expected = reference.isFinite ? reference.bitPattern : nil
      if Self.number(text)?.bitPattern != expected { differing.append(text) }
    }
    #expect(differing.isEmpty, "\(differing.prefix(5))")
  }

  @Test(
    "is read up to where it ends",
    arguments: [
      ("12.5,7", 12.5, 4), ("-3e2]", -300, 4), ("72}", 72, 2), ("1.5.2", 1.5, 3), ("0 0", 0, 1),
    ])
  func place(text: String, number: Double, end: Int) {
    let bytes = Array(text.utf8)
    var position = 0
    #expect(Decimal.read(bytes.span, &position) == number)
    #expect(position == end)
  }

  @Test("is read from where it begins; where none begins, there is none", arguments: [(1, 7.25), (5, nil), (6, nil)])
  func middle(start: Int, number: Double?) {
    let bytes = Array("x7.25,".utf8)
    var position = start
    #expect(Decimal.read(bytes.span, &position) == number)
  }

  @Test("has powers of ten that are exact as far as doubles can be", arguments: [0, 1, 2, 15, 21, 22] as [UInt])
  func powers(exponent: UInt) { #expect(Decimal.power(exponent) == Self.reference("1e\(exponent)")) }
}

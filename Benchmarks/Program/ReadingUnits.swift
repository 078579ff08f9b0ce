import Quantities

/// `benchmark units TEXT TARGET COUNT`: reads a unit so many times, and each time converts a value from it to another unit.
struct ReadingUnits {
  private let text: String
  private let target: Unit
  private let count: Int

  init(_ words: [String]) throws {
    guard words.count == 3, let count = Int(words[2]), count > 0 else { throw WrongUsage() }
    text = words[0]
    target = try Unit(words[1])
    self.count = count
  }

  func run() throws {
    var sum = 0.0
    for number in 0..<count { sum += try Quantity(Double(number % 200), Unit(text)).value(in: target) }
    print("conversions=\(count) sum=\(sum)")
  }
}

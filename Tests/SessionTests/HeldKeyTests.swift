import Quantities
import Testing

@testable import Session

@Suite("A key that is held down")
struct HeldKeyTests {
  /// The keys that count, with their moments in milliseconds; those that are due are released as soon as they are.
  private static func passed(_ presses: [(key: OperatorKey, time: Int)]) -> [(key: OperatorKey, time: Int)] {
    var held = HeldKey(since: Moment(nanoseconds: -10_000_000_000))
    var passed: [(key: OperatorKey, time: Int)] = []
    func note(_ keys: [(key: OperatorKey, made: Moment)]) {
      passed += keys.map { ($0.key, Int($0.made.nanoseconds / 1_000_000)) }
    }
    for (key, time) in presses {
      let now = Moment(nanoseconds: Int64(time) * 1_000_000)
      if let due = held.due, due <= now { note(held.release()) }
      note(held.take(key, at: now))
    }
    note(held.release())
    return passed
  }

  /// The moments of those that are no repeats.
  private static func counted(_ presses: [(key: OperatorKey, time: Int)]) -> [Int] {
    passed(presses).filter { if case .repeated = $0.key { false } else { true } }.map(\.time)
  }

  private static let keys: [OperatorKey] = [
    .enter, .arrow(.left), .arrow(.down), .letter(" "), .letter("1"), .letter("p"), .letter("\u{E}"), .jump(.pageUp),
  ]

  @Test(
    "It counts once, at every delay and rate that terminals have", arguments: keys,
    [(250, 15), (250, 92), (400, 30), (500, 40), (660, 15), (660, 92)])
  func held(key: OperatorKey, rate: (delay: Int, period: Int)) {
    let presses = [0] + (0..<50).map { rate.delay + $0 * rate.period }
    #expect(Self.counted(presses.map { (key, $0) }) == [0])
    #expect(Self.passed(presses.map { (key, $0) }).map(\.time) == (key == .enter ? [0] : presses))
    // It is let go, and pressed once more.
    let later = rate.delay + 49 * rate.period + 400
    #expect(Self.counted((presses + [later]).map { (key, $0) }) == [0, later])
  }

  @Test(
    "Presses of a person all count, with the moments at which they were made", arguments: keys,
    [125, 150, 200, 500, 900, 3000])
  func pressed(key: OperatorKey, period: Int) {
    let presses = (0..<10).map { $0 * period }
    #expect(Self.counted(presses.map { (key, $0) }) == presses)
    #expect(Self.counted(presses.prefix(2).map { (key, $0) }) == Array(presses.prefix(2)))
  }

  @Test("Different keys count at once, and the one that was kept back before them")
  func others() {
    let presses: [(OperatorKey, Int)] = [
      (.enter, 0), (.letter("5"), 10), (.enter, 20), (.enter, 60), (.letter("5"), 70), (.letter("5"), 75), (.enter, 80),
    ]
    #expect(Self.counted(presses) == [0, 10, 20, 60, 70, 75, 80])
    #expect(Self.counted([(.enter, 0), (.enter, 0), (.enter, 0), (.enter, 0)]) == [0])
  }

  @Test(
    "No character of a paste or a scanner is lost or out of order", arguments: ["1122333", "aaaa", "aab", "100001"])
  func pasted(text: String) {
    for step in [0, 5] {
      let keys = Self.passed(text.enumerated().map { (.letter($1), $0 * step) }).map(\.key)
      #expect(String(keys.compactMap(\.pressed.character)) == text)
    }
  }

  @Test("The Return that started the program does nothing while it is held", arguments: [1, 30, 90])
  func started(period: Int) {
    var held = HeldKey(since: Moment(nanoseconds: 0))
    for repetition in 0..<30 {
      let now = Moment(nanoseconds: Int64(5 + repetition * period) * 1_000_000)
      #expect(held.take(.enter, at: now).isEmpty)
    }
    #expect(held.release().isEmpty)
  }
}

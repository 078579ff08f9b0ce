import Quantities
import Testing

@testable import Experiment

@Suite("A Return key that is held down")
struct HeldReturnTests {
  /// The moments, in milliseconds, of the keys that count: `due` ones are released as soon as they are.
  private static func counted(_ presses: [(key: OperatorKey, time: Int)]) -> [Int] {
    var held = HeldReturn()
    var counted: [Int] = []
    func note(_ keys: [(key: OperatorKey, made: Moment)]) {
      counted += keys.map { Int($0.made.nanoseconds / 1_000_000) }
    }
    for (key, time) in presses {
      let now = Moment(nanoseconds: Int64(time) * 1_000_000)
      if let due = held.due, due <= now { note(held.release()) }
      note(held.take(key, at: now))
    }
    note(held.release())
    return counted
  }

  @Test(
    "It counts once, at every delay and rate that terminals have", arguments: [250, 400, 500, 660], [15, 30, 40, 92])
  func held(delay: Int, period: Int) {
    let presses = [0] + (0..<50).map { delay + $0 * period }
    #expect(Self.counted(presses.map { (.enter, $0) }) == [0])
    // It is let go, and pressed once more.
    let later = delay + 49 * period + 400
    #expect(Self.counted((presses + [later]).map { (.enter, $0) }) == [0, later])
  }

  @Test(
    "Presses of a person all count, with the moments at which they were made", arguments: [150, 200, 500, 900, 3000])
  func pressed(period: Int) {
    let presses = (0..<10).map { $0 * period }
    #expect(Self.counted(presses.map { (.enter, $0) }) == presses)
  }

  @Test("Other keys count at once, and a Return before them as well")
  func others() {
    let presses: [(OperatorKey, Int)] = [
      (.enter, 0), (.letter("5"), 10), (.enter, 20), (.enter, 60), (.letter("5"), 70), (.letter("5"), 75), (.enter, 80),
    ]
    #expect(Self.counted(presses) == [0, 10, 20, 60, 70, 75, 80])
    #expect(Self.counted([(.enter, 0), (.enter, 0), (.enter, 0), (.enter, 0)]) == [0])
  }
}

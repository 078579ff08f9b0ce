import Basics
import Quantities
import TestSupport
import Testing

@testable import Pages

@Suite("The clock of a page")
struct PageClockTests {
  @Test("The interval that it states holds the true moment, whatever the ways of messages take", arguments: 1...20)
  func holds(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
    // What the page's clock shows at the station's zero, and how much faster it goes.
    let (offset, drift) = (random(-1e6...1e6), random(-4e-5...4e-5))
    func page(_ station: Double) -> Double { ((offset + station * (1 + drift)) * 10).rounded(.down) / 10 }
    var clock = PageClock()
    var now = random(0...1e6)
    #expect(clock.moment(of: page(now)) == nil)
    for _ in 0..<200 {
      let sent = now
      let read = sent + random(0.1...30)
      let received = read + random(0.1...30)
      clock.take(.init(sent: page(sent), received: page(received), station: Moment(nanoseconds: Int64(read * 1e6))))
      now = received + random(1...5000)
      let asked = now + random(-20_000...2000)
      let stated = clock.moment(of: page(asked))
      let error = abs(Double(stated?.moment.nanoseconds ?? .max) / 1e6 - asked)
      #expect(error <= (stated?.uncertainty.seconds ?? 0) * 1000, "\(error) ms")
    }
  }

  @Test(
    "A round trip whose answer came before its question, or that is no number, is not taken",
    arguments: [
      (5.0, 4.0), (.nan, 4), (1, .infinity), (1, 1e13),
    ])
  func refuses(sent: Double, received: Double) {
    var clock = PageClock()
    let isTaken = clock.take(.init(sent: sent, received: received, station: Moment(nanoseconds: 0)))
    #expect(!isTaken)
    #expect(clock.moment(of: 1) == nil)
  }

  @Test("The shortest of the last eight round trips counts")
  func best() {
    var clock = PageClock()
    for width in [2.0, 8, 8, 8, 8, 8, 8, 8] {
      clock.take(.init(sent: 100, received: 100 + width, station: Moment(nanoseconds: 0)))
    }
    #expect(clock.moment(of: 101)?.uncertainty == .milliseconds(1.1))
    clock.take(.init(sent: 100, received: 110, station: Moment(nanoseconds: 0)))
    #expect(clock.moment(of: 104)?.uncertainty == .milliseconds(4.1))
  }
}

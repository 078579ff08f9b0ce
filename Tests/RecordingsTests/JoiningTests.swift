import Analysis
import Testing

@testable import Recordings

@Suite("Recorders of one sensor")
struct JoiningTests {
  private func series(_ count: Int, from start: Double) -> IntervalSeries {
    IntervalSeries(
      Array(repeating: 1000, count: count), ends: (0..<count).map { start + Double($0) + 1 })
  }

  private func recording(_ recorder: String, _ sensor: String?, _ beats: IntervalSeries?) -> Recording {
    Recording(path: "b", recorder: recorder, sensor: sensor, beats: beats, remarks: ["odd"])
  }

  @Test("are joined over the trial, each beat once, though its time may differ a little between recorders")
  func joined() throws {
    let joined = Recording.joined([
      recording("rest", "strap", series(10, from: 0)), recording("restBeats", "strap", series(10, from: 0.04)),
      recording("music", "strap", series(5, from: 10)), recording("other", "watch", series(3, from: 0)),
    ])
    #expect(joined.map(\.sensor) == ["strap", "watch"])
    let beats = try #require(joined[0].beats)
    #expect(beats.count == 15)
    #expect(beats.breaks == [])
    #expect(joined[0].recorder == nil)
    #expect(joined[0].remarks == ["rest: odd", "restBeats: odd", "music: odd"])
    #expect(joined[1].beats?.count == 3)
    #expect(joined[1].recorder == "other")
  }

  @Test("leave a gap where none of them has beats")
  func gap() throws {
    let joined = Recording.joined([
      recording("rest", "strap", series(5, from: 0)), recording("music", "strap", series(5, from: 20)),
    ])
    #expect(try #require(joined.first?.beats).breaks == [5])
  }

  @Test("give each heart rate once, in the order of time")
  func rates() {
    var (one, other) = (recording("a", nil, nil), recording("b", nil, nil))
    one.rates = HeartRates([(1, 60), (3, 62)])
    other.rates = HeartRates([(2, 61), (3, 62), (3, 63)])
    let joined = Recording.joined([one, other])
    #expect(joined.count == 1)
    #expect(joined[0].rates.times == [1, 2, 3, 3])
    #expect(joined[0].rates.values == [60, 61, 62, 63])
    #expect(joined[0].beats == nil)
  }

  @Test("stay as they are when there is one, or none")
  func few() {
    #expect(Recording.joined([]).isEmpty)
    #expect(Recording.joined([recording("a", "s", series(2, from: 0))])[0].recorder == "a")
  }
}

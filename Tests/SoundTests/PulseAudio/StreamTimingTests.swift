import Quantities
import Testing

@testable import Sound

@Suite("Timing from the server's answers")
struct StreamTimingTests {
  @Test("frames and time convert without loss for days", arguments: [8000, 22_050, 44_100, 48_000, 96_000])
  func conversion(rate: Int) {
    for frames in [0, 1, 2, 1151, rate, rate * 3600 + 1, rate * 86_400 * 7 + 17] {
      let time = Frames(frames).nanoseconds(rate: rate)
      #expect(abs(time - Int64((Double(frames) * 1e9 / Double(rate)).rounded())) <= 256)
      #expect(Frames(nanoseconds: time, rate: rate).count == frames)
      #expect(Frames(nanoseconds: -time, rate: rate).count == -frames)
    }
  }

  @Test("an origin is the middle of what all answers allow")
  func origin() {
    let rate = 1000
    let snapshots = [
      TimingSnapshot(asked: 5_000_000, stamped: 5_200_000, readFrame: 10, sinkLatency: 7_000_000, rate: rate),
      TimingSnapshot(asked: 6_050_000, stamped: 6_300_000, readFrame: 10, sinkLatency: 6_000_000, rate: rate),
    ]
    // Frame 0 left between 2.0 and 2.2 ms by the first, between 2.05 and 2.3 ms by the second.
    let origin = StreamOrigin(snapshots, resolution: 1000)
    #expect(origin.time == 2_125_000)
    #expect(origin.uncertainty == 76_000)
    #expect(origin.moment(of: 3, rate: rate) == Moment(nanoseconds: 5_125_000))
    #expect(origin.frame(at: Moment(nanoseconds: 5_100_000), rate: rate) == 3)
  }

  @Test("of answers that contradict each other any may be true")
  func contradiction() {
    let snapshots = [
      TimingSnapshot(asked: 0, stamped: 1000, readFrame: 0, sinkLatency: 0, rate: 1000),
      TimingSnapshot(asked: 5000, stamped: 6000, readFrame: 0, sinkLatency: 0, rate: 1000),
    ]
    let origin = StreamOrigin(snapshots, resolution: 0)
    #expect(origin.time == 3000)
    #expect(origin.uncertainty == 3000)
  }

  @Test("answers that differ by less than the server rounds to do not contradict each other")
  func rounding() {
    let snapshots = [
      TimingSnapshot(asked: 0, stamped: 1000, readFrame: 0, sinkLatency: 0, rate: 1000),
      TimingSnapshot(asked: 1400, stamped: 6000, readFrame: 0, sinkLatency: 0, rate: 1000),
    ]
    let origin = StreamOrigin(snapshots, resolution: 300)
    #expect(origin.time == 1200 && origin.uncertainty == 500)
  }

  @Test(
    "the latest answers that agree are those after the last contradiction",
    arguments: [
      (asked: [Int64](), agreeing: 0), ([0], 1), ([0, 5, 10], 3), ([0, 5, 5000, 5005], 2), ([0, 5000, 0], 1),
    ])
  func agreeing(asked: [Int64], agreeing: Int) {
    let snapshots = asked.map {
      TimingSnapshot(asked: $0, stamped: $0 + 1000, readFrame: 0, sinkLatency: 0, rate: 1000)
    }
    #expect(Array(StreamOrigin.agreeing(snapshots, resolution: 0)) == snapshots.suffix(agreeing))
  }
}

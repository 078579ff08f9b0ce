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

  @Test("answers that contradict each other make it less sure, never more")
  func contradiction() {
    let snapshots = [
      TimingSnapshot(asked: 0, stamped: 1000, readFrame: 0, sinkLatency: 0, rate: 1000),
      TimingSnapshot(asked: 5000, stamped: 6000, readFrame: 0, sinkLatency: 0, rate: 1000),
    ]
    let origin = StreamOrigin(snapshots, resolution: 0)
    #expect(origin.time == 3000)
    #expect(origin.uncertainty == 2000)
  }
}

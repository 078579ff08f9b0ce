import Basics
import Quantities
import Testing

@testable import Sensors

@Suite("A sender's clock")
struct SenderClockTests {
  private let start = Moment(nanoseconds: 5_000_000_000)

  @Test(
    "that jumps is a new clock: no sample is placed where nobody recorded, and the jump is told",
    arguments: [
      // Seconds of the sender, as they came in one read, or in several a second apart.
      (reads: [[0, 1.7e9]], jumps: 1), ([[0], [1.7e9]], 1), ([[0], [10_000_000_000]], 1), ([[1e12], [-1e12]], 1),
      ([[-1e12, 1e12]], 1), ([[10, 11, 12, 500, 501]], 1), ([[10], [11], [9], [10]], 1), ([[1, 2, 3], [4, 5]], 0),
    ])
  func jumps(reads: [[Double]], jumps: Int) {
    var clock = SenderClock(latency: .milliseconds(20))
    for (index, times) in reads.enumerated() {
      let arrived = start.advanced(by: .seconds(index))
      for moment in clock.moments(of: times, arrived: arrived) {
        #expect((.milliseconds(20)...Duration.seconds(3)).contains(moment.duration(to: arrived)))
      }
    }
    #expect(clock.takeJumps().count == jumps)
    #expect(clock.takeJumps().isEmpty)
  }

  @Test("that ran on while nothing came has not jumped, whether the lines were held back or the sensor was away")
  func silence() {
    var clock = SenderClock(latency: .zero)
    _ = clock.moments(of: [100], arrived: start)
    let later = start.advanced(by: .seconds(3600))
    // A line of an hour ago and one of now, in one read.
    let moments = clock.moments(of: [101, 3700], arrived: later)
    #expect(moments == [start.advanced(by: .seconds(1)), later])
    #expect(clock.takeJumps().isEmpty)
  }

  @Test("is told of with what it said before and after, a few times and then no more")
  func told() {
    var decoder = LineDecoder(latency: .zero)
    let yield = decoder.take(Array("0,70,\n1.7e9,71,\n".utf8).span, arrived: start)
    #expect(yield.readings.map(\.happened) == [start, start])
    #expect(
      yield.notes == [
        "has a clock that jumped 1700000000.0 s forward, from 0.0 to 1700000000.0 s; "
          + "the arrival of later samples decides their times"
      ])
    let others = (0..<100).flatMap { index in
      decoder.take(Array("\(Double(index + 1) * 1e6),70,\n".utf8).span, arrived: start).notes
    }
    // The first was told above, and the last says that there are more.
    #expect(others.count == LineDecoder.jumpsTold)
    #expect(others.last == "has a clock that jumps again and again; further jumps are not reported")
  }

  @Test("survives any times, and places every sample near its arrival", arguments: 1...40 as ClosedRange<UInt64>)
  func extremes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let extremes = [0, 1e12, -1e12, 1.7e9, 9.3e9, -9.3e9, 1e10, 1e-300, 0.5, 4e9, -62_135_596_800, 253_402_300_799]
    var decoder = LineDecoder(latency: seed % 2 == 0 ? .zero : .seconds(60))
    var arrived = start
    for _ in 0..<200 {
      arrived = arrived.advanced(by: .milliseconds(Int(random.next() % 3000)))
      let count = Int(random.next() % 5) + 1
      let text = (0..<count).map { _ in
        let time = extremes[Int(random.next() % UInt64(extremes.count))] + (random.uniform() - 0.5) * 100
        let held = max(-1e12, min(1e12, time))
        return random.next() % 4 == 0 ? "{\"hr\":70,\"rr\":[3000,3000,3000]}\n" : "{\"hr\":71,\"t\":\(held)}\n"
      }.joined()
      let yield = decoder.take(Array(text.utf8).span, arrived: arrived)
      #expect(yield.readings.count == count)
      for reading in yield.readings {
        #expect(reading.happened <= arrived)
        #expect(reading.happened.duration(to: arrived) < .seconds(3600))
      }
    }
  }

  @Test("and intervals that sum to centuries keep their chain from overflowing")
  func centuries() {
    var chain = BeatChain()
    for _ in 0..<40 {
      var readings = (0..<5).map { _ in
        HeartReading(
          heartRate: nil, rrIntervals: [Double](repeating: 3e11, count: 100), happened: start, arrived: start)
      }
      chain.place(&readings)
      #expect(readings.allSatisfy { $0.happened <= start })
    }
  }
}

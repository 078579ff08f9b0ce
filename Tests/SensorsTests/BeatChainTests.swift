import Basics
import Quantities
import Testing

@testable import Sensors

@Suite("A chain of beats")
struct BeatChainTests {
  private let start = Moment(nanoseconds: 5_000_000_000)

  /// Feeds beats, one a reading, with the delays given, in order; the arrivals never overtake one another.
  private func place(
    _ intervals: [Double], delay: (Int) -> Double, chain: inout BeatChain, clockRate: Double = 1
  ) -> [(truth: Double, happened: Double, arrived: Double)] {
    var result: [(truth: Double, happened: Double, arrived: Double)] = []
    var truth = 0.0
    var arrival = 0.0
    for (index, interval) in intervals.enumerated() {
      truth += interval * clockRate
      arrival = max(arrival, truth + delay(index))
      let moment = start.advanced(by: Duration(milliseconds: arrival))
      var readings = [HeartReading(heartRate: nil, rrIntervals: [interval], happened: moment, arrived: moment)]
      chain.place(&readings)
      result.append((truth, start.duration(to: readings[0].happened).milliseconds, arrival))
    }
    return result
  }

  private func rr(_ count: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in ((700 + 300 * random.uniform()) * 1.024).rounded() / 1.024 }
  }

  @Test(
    "keeps the intervals exactly, whatever the arrivals' jitter, once it has seen the earliest",
    arguments: 1...20 as ClosedRange<UInt64>)
  func jitter(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var chain = BeatChain()
    var delays = (0..<300).map { _ in 15 + 200 * random.uniform() }
    delays[40] = 10
    let intervals = rr(300, seed: seed)
    let beats = place(intervals, delay: { delays[$0] }, chain: &chain)
    #expect(chain.chainCount == 1)
    // From the earliest arrival on the placement is the truth plus its delay.
    for index in 41..<300 {
      #expect(abs(beats[index].happened - beats[index].truth - 10) < 1e-5)
      #expect(abs(beats[index].happened - beats[index - 1].happened - intervals[index]) < 1e-5)
    }
    for index in 1..<300 { #expect(beats[index].happened >= beats[index - 1].happened) }
    for beat in beats { #expect(beat.happened <= beat.arrived + 1e-5) }
    // Before, it only ever came closer.
    let errors = beats[..<41].map { $0.happened - $0.truth }
    for (earlier, later) in zip(errors, errors.dropFirst()) { #expect(later <= earlier + 1e-5) }
  }

  @Test("places an hour of beats that arrive 0.2 to 2.8 s late within 20 ms", arguments: 1...5 as ClosedRange<UInt64>)
  func lateArrivals(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var chain = BeatChain(latency: .milliseconds(200))
    let beats = place(rr(4200, seed: seed), delay: { _ in 200 + 2600 * random.uniform() }, chain: &chain)
    // Until it is known how much they vary, late arrivals look like lost beats.
    #expect(chain.chainCount <= 10)
    // The earliest arrivals say where the chain lies: of few beats none is early.
    let errors = beats.map { abs($0.happened - $0.truth) }
    #expect(errors[10...].sorted()[errors.count / 2] <= 20)
    let later = errors[2000...].sorted()
    #expect(later[later.count * 9 / 10] <= 60)
  }

  @Test("keeps a lost beat lost while the sensor's clock drifts", arguments: [0.9999, 1.0001], [400.0, 800])
  func lostBeatAndDrift(clockRate: Double, interval: Double) {
    var random = SplitMix64(seed: 8)
    var chain = BeatChain()
    let beats = place(
      (0..<6000).map { _ in interval }, delay: { ($0 >= 100 ? interval : 0) + 5 + 50 * random.uniform() },
      chain: &chain, clockRate: clockRate)
    #expect(chain.chainCount == 2)
    for beat in beats.dropFirst(120) { #expect((-40.0...60).contains(beat.happened - beat.truth - interval)) }
  }

  @Test("takes a stall for no pause, and a later pause of eight seconds for one")
  func stalls() {
    var chain = BeatChain()
    let intervals = rr(400, seed: 9)
    // Arrivals of 3 and 6 s are held back, and come one by one; then beats of 8 s are lost.
    let beats = place(
      intervals, delay: { (100..<104).contains($0) ? 3000 : (200..<208).contains($0) ? 6000 : $0 >= 300 ? 8000 : 0 },
      chain: &chain)
    for beat in beats[300...] { #expect(abs(beat.happened - beat.truth - 8000) < 1) }
    for beat in beats[240..<300] { #expect(abs(beat.happened - beat.truth) < 1) }
  }

  @Test("takes the sensor's latency off")
  func latency() {
    var chain = BeatChain(latency: .milliseconds(120))
    let beats = place(rr(50, seed: 1), delay: { $0 % 7 == 0 ? 120 : 190 }, chain: &chain)
    for beat in beats { #expect(abs(beat.happened - beat.truth) < 1e-5) }
  }

  @Test("follows a clock that is 100 ppm off for an hour", arguments: [1.0001, 0.9999])
  func drift(clockRate: Double) {
    var random = SplitMix64(seed: 6)
    var chain = BeatChain()
    let beats = place(
      rr(4200, seed: 6), delay: { _ in 5 + 50 * random.uniform() }, chain: &chain, clockRate: clockRate)
    #expect(beats.last.map { $0.truth > 3_500_000 } == true)
    let errors = beats.dropFirst(60).map { $0.happened - $0.truth }
    #expect(errors.allSatisfy { (-40.0...20).contains($0) }, "from \(errors.min() ?? 0) to \(errors.max() ?? 0) ms")
    #expect(chain.chainCount == 1)
  }

  @Test("begins anew after a long gap")
  func gap() {
    var chain = BeatChain()
    _ = place(rr(20, seed: 2), delay: { _ in 0 }, chain: &chain)
    // Ten seconds of beats are missing.
    let late = start.advanced(by: .seconds(30) + .seconds(20))
    var readings = [HeartReading(heartRate: nil, rrIntervals: [900], happened: late, arrived: late)]
    chain.place(&readings)
    #expect(chain.chainCount == 2)
    #expect(readings[0].happened == late)
  }

  @Test("notices a single lost beat within ten arrivals")
  func lostBeat() {
    var chain = BeatChain()
    var intervals = rr(200, seed: 3)
    let lost = intervals.remove(at: 100)
    var random = SplitMix64(seed: 3)
    let beats = place(intervals, delay: { ($0 >= 100 ? lost : 0) + 100 * random.uniform() }, chain: &chain)
    #expect(chain.chainCount == 2)
    for index in 110..<199 { #expect((0.0...101).contains(beats[index].happened - beats[index].truth - lost)) }
  }

  @Test("is not led astray by a batch that arrives twice")
  func duplicate() {
    var chain = BeatChain()
    var moment = start
    for index in 0..<60 {
      let interval = 800.0 + Double(index % 5)
      moment = moment.advanced(by: Duration(milliseconds: interval))
      let reading = HeartReading(heartRate: nil, rrIntervals: [interval], happened: moment, arrived: moment)
      var readings = index == 30 ? [reading, reading] : [reading]
      chain.place(&readings)
      for placed in readings { #expect(abs(placed.happened.duration(to: moment).milliseconds) < 1e-5) }
    }
  }

  @Test("places a burst after a stall by its last beat")
  func burst() {
    var chain = BeatChain()
    _ = place(rr(20, seed: 4), delay: { _ in 0 }, chain: &chain)
    let end = rr(20, seed: 4).reduce(0, +)
    let arrived = start.advanced(by: Duration(milliseconds: end + 8 * 800))
    var burst = (0..<8).map { _ in
      HeartReading(heartRate: nil, rrIntervals: [800], happened: arrived, arrived: arrived)
    }
    chain.place(&burst)
    #expect(chain.chainCount == 1)
    for (index, reading) in burst.enumerated() {
      #expect(abs(start.duration(to: reading.happened).milliseconds - end - Double(index + 1) * 800) < 1e-4)
    }
  }

  @Test("ends where contact is lost")
  func contact() {
    var chain = BeatChain(latency: .milliseconds(10))
    _ = place(rr(5, seed: 4), delay: { _ in 10 }, chain: &chain)
    let arrived = start.advanced(by: .seconds(6))
    var readings = [HeartReading(heartRate: nil, contact: false, happened: arrived, arrived: arrived)]
    chain.place(&readings)
    #expect(readings[0].happened == arrived.advanced(by: .milliseconds(-10)))
    readings = [HeartReading(heartRate: 60, rrIntervals: [1000], contact: true, happened: arrived, arrived: arrived)]
    chain.place(&readings)
    #expect(chain.chainCount == 2)
  }

  @Test(
    "leaves a sender's times where they are when the network holds lines back, however they then arrive",
    arguments: [1, 3, 40], [0.3, 0.7, 3, 60])
  func heldBack(piece: Int, hold: Double) {
    var clock = SenderClock(latency: .zero)
    let held = 20.0..<(20 + hold)
    var arrivals: [(time: Double, at: Double)] = []
    for index in 0..<400 {
      let time = Double(index) / 4
      arrivals.append((time, held.contains(time) ? 20 + hold : time))
    }
    var start = 0
    while start < arrivals.count {
      let arrived = arrivals[start].at
      var stop = start + 1
      while stop < arrivals.count, stop - start < piece, arrivals[stop].at == arrived { stop += 1 }
      let moments = clock.moments(
        of: arrivals[start..<stop].map(\.time), arrived: self.start.advanced(by: Duration(seconds: arrived)))
      for (moment, arrival) in zip(moments, arrivals[start..<stop]) {
        #expect(abs(self.start.duration(to: moment).seconds - arrival.time) < 1e-6)
      }
      start = stop
    }
  }

  @Test("follows a sender's slow clock")
  func slowSender() {
    var clock = SenderClock(latency: .zero)
    var worst = 0.0
    for index in 0..<3600 {
      let truth = start.advanced(by: .seconds(index))
      let moments = clock.moments(of: [Double(index) * (1 - 1e-4)], arrived: truth)
      worst = max(worst, moments[0].duration(to: truth).milliseconds)
    }
    #expect(worst > 20 && worst < 50)
  }

  @Test("lays a sender's times onto our clock, however it counts, and notices that it began anew")
  func senderClock() {
    var clock = SenderClock(latency: .milliseconds(20))
    for index in 0..<100 {
      let jitter = index % 10 == 3 ? 0.0 : 35
      let truth = start.advanced(by: .seconds(index))
      let arrived = truth.advanced(by: Duration(milliseconds: 20 + jitter))
      let moments = clock.moments(of: [1_700_000_000 + Double(index)], arrived: arrived)
      if index > 3 { #expect(abs(truth.duration(to: moments[0]).milliseconds) < 0.001) }
    }
    let arrived = start.advanced(by: .seconds(200))
    #expect(clock.moments(of: [0.5], arrived: arrived) == [arrived.advanced(by: .milliseconds(-20))])
  }
}

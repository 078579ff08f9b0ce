import Basics
import Quantities
import Testing

@testable import Sound

@Suite("The engine that plays into a graph's cycles")
struct CycleEngineTests {
  /// Frames on two ports, none of them silent, each telling its number.
  private static func ramp(_ frames: Int) -> [Float] {
    (1...frames).flatMap { [Float($0), -Float($0)] }
  }

  @Test(
    "the first frame is the one closest to the moment, in whatever quantum",
    arguments: [256, 1024, 2048], [0, 1, 7_000, 10_416, 10_418, 21_333_333, 33_000_001])
  func placement(quantum: Int, offset: Int64) throws {
    let bench = try CycleBench(quantum: quantum)
    bench.turn(20)
    let due = bench.nsec + offset
    #expect(bench.load(Self.ramp(500), due: due))
    bench.turn(20)
    let onset = try #require(bench.onset)
    #expect(abs(onset - due) <= 10_417, "half a frame of 48 kHz")
    let started = try #require(bench.started)
    #expect(abs(started.moment.nanoseconds - onset) <= 2)
    #expect(started.uncertainty <= .microseconds(100))
    let ended = try #require(bench.ended)
    #expect(ended.frames == 500)
    let length = ended.moment.moment.nanoseconds - onset
    #expect(abs(length - 10_416_667) <= 2)
    let whole = (1...500).map { Float($0) }
    #expect(bench.sounds == whole)
    #expect(bench.lost.isEmpty && bench.shifts.isEmpty && !bench.engine.isBusy)
  }

  @Test("a moment that is past sounds in the next cycle, and says so")
  func past() throws {
    let bench = try CycleBench()
    bench.turn(20)
    let next = bench.nsec
    #expect(bench.load(Self.ramp(10), due: next - 1_000_000_000))
    bench.turn(2)
    #expect(bench.onset == next && bench.started?.moment == Moment(nanoseconds: next))
  }

  @Test(
    "a card's clock is followed along a line, whatever its drift and its buffer",
    arguments: [0.0, 200, -200], [0, 1024, 3000])
  func card(drift: Double, delay: Int64) throws {
    let bench = try CycleBench()
    bench.engine.tune(cardRate: nil, SpeakerTiming(basis: .position, granularity: .zero), isDriver: true)
    (bench.drift, bench.delay) = (drift, delay)
    bench.turn(80)
    let due = bench.leaves + 41_234_567
    #expect(bench.load(Self.ramp(4800), due: due))
    bench.turn(20)
    let onset = try #require(bench.onset)
    #expect(abs(onset - due) <= 10_500)
    let started = try #require(bench.started)
    #expect(abs(started.moment.nanoseconds - onset) <= 1000)
    #expect(started.uncertainty >= .nanoseconds(bench.lateness), "the position is read that late at most")
    #expect(bench.shifts.isEmpty)
  }

  @Test("a delay in frames of the card is counted at the card's rate")
  func cardRate() throws {
    let bench = try CycleBench()
    bench.engine.tune(cardRate: 44_100, SpeakerTiming(basis: .position, granularity: .zero), isDriver: true)
    bench.delay = 4410
    bench.turn(20)
    let due = bench.nsec + 100_000_000 + 500_000_000
    #expect(bench.load(Self.ramp(10), due: due))
    bench.turn(40)
    let started = try #require(bench.started)
    #expect(abs(started.moment.nanoseconds - due) <= 10_417)
  }

  @Test(
    "between all that a card's position says, its clock is known to far less than the steps of the position",
    arguments: [(1, 0.0, 60, 100), (1, -150, 60, 100), (48, 200, 150, 250), (240, 0, 1000, 3000)])
  func steps(step: Int64, drift: Double, error: Int64, uncertainty: Int64) throws {
    let bench = try CycleBench()
    bench.engine.tune(
      cardRate: nil, SpeakerTiming(basis: .position, granularity: .milliseconds(21)), isDriver: true)
    let card = SteppingCard(step: step, drift: drift)
    for _ in 0..<300 { card.turn(bench) }
    #expect(bench.engine.status.step == step)
    #expect(bench.load(Self.ramp(480), due: bench.nsec + 100_000_000))
    let first = card.cycles
    for _ in 0..<10 { card.turn(bench) }
    let started = try #require(bench.started)
    // The truth is when the first frame that sounds leaves the card.
    let index = try #require(bench.heard.firstIndex { $0.sample != 0 })
    let distance = started.moment.nanoseconds - card.leaves(Int64(index))
    #expect(card.cycles == first + 10 && bench.shifts.isEmpty)
    #expect(abs(distance) <= error * 1000, "\(distance) ns")
    #expect(abs(distance) <= started.uncertainty.nanoseconds)
    #expect(started.uncertainty <= .microseconds(uncertainty), "\(started.uncertainty)")
  }

  /// Plays a sound, whose onset is as far off the truth as its uncertainty says at most; returns how far, in nanoseconds.
  @discardableResult
  private static func checkOnset(
    on card: SteppingCard, _ bench: CycleBench, atMost limit: Duration
  ) throws -> Int64 {
    let (begun, heard) = (bench.events.count, bench.heard.count)
    #expect(bench.load(ramp(480), due: bench.nsec + 60_000_000))
    for _ in 0..<10 { card.turn(bench) }
    let moments = bench.events[begun...].compactMap { if case .started(let moment) = $0 { moment } else { nil } }
    let started = try #require(moments.first)
    let index = try #require(bench.heard[heard...].firstIndex { $0.sample != 0 })
    let distance = started.moment.nanoseconds - card.leaves(Int64(index))
    #expect(abs(distance) <= started.uncertainty.nanoseconds)
    #expect(started.uncertainty <= limit)
    return distance
  }

  @Test(
    "a card with another rate than the graph's is known as well; where its position moves in steps, to a period",
    arguments: [(1, 60), (48, 1200), (240, 6000)])
  func otherRate(step: Int64, error: Int64) throws {
    let bench = try CycleBench()
    bench.engine.tune(
      cardRate: 44_100, SpeakerTiming(basis: .position, granularity: .milliseconds(21)), isDriver: true)
    let card = SteppingCard(step: step, drift: 150, rate: 44_100)
    for cycles in [100, 300, 1000] {
      for _ in 0..<cycles { card.turn(bench) }
      let distance = try Self.checkOnset(on: card, bench, atMost: .milliseconds(30))
      #expect(abs(distance) <= error * 1000, "\(distance) ns")
    }
    #expect(bench.shifts.isEmpty)
    // Nothing is to be looked at again.
    #expect(bench.engine.status.starts == 0)
  }

  @Test("a card that changes its pace is followed again, and the uncertainty holds meanwhile", arguments: [1, 48])
  func changedPace(step: Int64) throws {
    let bench = try CycleBench()
    bench.engine.tune(
      cardRate: nil, SpeakerTiming(basis: .position, granularity: .milliseconds(21)), isDriver: true)
    let card = SteppingCard(step: step, drift: 40)
    for _ in 0..<200 { card.turn(bench) }
    card.change(drift: 90)
    for cycles in [20, 100, 400] {
      for _ in 0..<cycles { card.turn(bench) }
      try Self.checkOnset(on: card, bench, atMost: .milliseconds(2))
    }
    #expect(bench.shifts.isEmpty)
  }

  @Test("a card that stood still is followed from there on, as one that was just opened", arguments: [1, 48])
  func halted(step: Int64) throws {
    let bench = try CycleBench()
    bench.engine.tune(
      cardRate: nil, SpeakerTiming(basis: .position, granularity: .milliseconds(21)), isDriver: true)
    let card = SteppingCard(step: step, drift: 40)
    for _ in 0..<200 { card.turn(bench) }
    for halt in [21_000_000, 5_000_000] as [Int64] {
      card.halt(nanoseconds: halt)
      for _ in 0..<300 { card.turn(bench) }
      try Self.checkOnset(on: card, bench, atMost: .milliseconds(1))
    }
    #expect(bench.shifts.isEmpty)
  }

  @Test(
    "a card that is started again has its steps at other places, and the uncertainty holds",
    arguments: [(48, 16), (48, 5), (240, 7)], [200_000, 2_500_000, 21_000_000])
  func restarted(steps: (step: Int64, places: Int64), pause: Int64) throws {
    let bench = try CycleBench()
    bench.engine.tune(
      cardRate: nil, SpeakerTiming(basis: .position, granularity: .milliseconds(21)), isDriver: true)
    let card = SteppingCard(step: steps.step, drift: 200)
    // The first cycles of a session have such an end as well, before the steps are known.
    for count in [10, 60, 300] {
      for _ in 0..<count { card.turn(bench) }
      card.restart(nanoseconds: pause, moving: steps.places)
      for _ in 0..<20 { card.turn(bench) }
      try Self.checkOnset(on: card, bench, atMost: .milliseconds(40))
    }
    for _ in 0..<300 { card.turn(bench) }
    try Self.checkOnset(on: card, bench, atMost: .milliseconds(2))
  }

  @Test(
    "a restart of a card is counted, however long ago it was, and whether or not its steps are at other places",
    arguments: [(48, 16), (48, 0), (240, 0)])
  func starts(steps: (step: Int64, places: Int64)) throws {
    let bench = try CycleBench()
    bench.engine.tune(
      cardRate: nil, SpeakerTiming(basis: .position, granularity: .milliseconds(21)), isDriver: true)
    let card = SteppingCard(step: steps.step, drift: 200)
    for _ in 0..<300 { card.turn(bench) }
    let before = bench.engine.status.starts
    for _ in 0..<300 { card.turn(bench) }
    #expect(bench.engine.status.starts == before)
    card.restart(nanoseconds: 21_000_000, moving: steps.places)
    for _ in 0..<600 { card.turn(bench) }
    #expect(bench.engine.status.starts > before)
  }

  @Test("a card that is read late in one cycle has not moved")
  func lateReading() throws {
    let bench = try CycleBench()
    bench.engine.tune(cardRate: nil, SpeakerTiming(basis: .position, granularity: .zero), isDriver: true)
    for cycle in 0..<80 {
      bench.delay = 1024 + Int64(cycle % 2)
      bench.turn()
    }
    bench.delay = 1024
    let due = bench.leaves + 100_000_000
    #expect(bench.load(Self.ramp(480), due: due))
    // The driver wakes 4 ms late, so that the card has played 192 frames more by then.
    (bench.delay, bench.lateness) = (1024 - 192, 4_100_000)
    bench.turn()
    (bench.delay, bench.lateness) = (1024, 100_000)
    bench.turn(10)
    let started = try #require(bench.started)
    #expect(abs(started.moment.nanoseconds - due) <= 10_417)
    #expect(started.uncertainty <= .microseconds(500) && bench.shifts.isEmpty)
  }

  @Test("cycles that the graph leaves out are a loss of that size, and the rest keeps its time")
  func skipped() throws {
    let bench = try CycleBench()
    bench.turn(20)
    #expect(bench.load(Self.ramp(10_240), due: bench.nsec))
    bench.turn(3)
    bench.skip(2)
    bench.turn(10)
    #expect(bench.lost == [2048])
    #expect(bench.ended?.frames == 10_240 - 2048)
    let begin = try #require(bench.started).moment
    let end = try #require(bench.ended).moment.moment
    let length = begin.duration(to: end).nanoseconds
    #expect(abs(length - 213_333_333) <= 20)
    // The fourth cycle plays what it would have played otherwise.
    #expect(bench.sounds.contains(5121) && !bench.sounds.contains(3073))
    #expect(bench.shifts.isEmpty)
  }

  @Test("work that is done after the next cycle has begun is a loss; at the beginning the onset becomes uncertain")
  func late() throws {
    let bench = try CycleBench()
    bench.turn(20)
    let due = bench.nsec
    #expect(bench.load(Self.ramp(10_240), due: due))
    bench.lateness = bench.cycle + 1_000_000
    bench.turn()
    bench.lateness = 100_000
    bench.turn(12)
    #expect(bench.lost == [1024] && bench.ended?.frames == 10_240 - 1024)
    let started = try #require(bench.started)
    let reach = started.uncertainty.nanoseconds
    let late = started.moment.nanoseconds - due
    #expect(abs(late) <= reach, "it may have been heard")
    #expect(abs(late - bench.cycle) <= reach, "or not before the next cycle")
  }

  @Test("a cycle that is asked for again gets the same frames", arguments: [0, 1, 5, 9])
  func again(after cycles: Int) throws {
    let bench = try CycleBench()
    bench.turn(20)
    let due = bench.nsec
    #expect(bench.load(Self.ramp(10_000), due: due))
    bench.turn(cycles)
    let before = bench.sounds.count
    bench.turn()
    let first = bench.sounds.dropFirst(before)
    bench.skip(-1)
    bench.turn()
    #expect(Array(bench.sounds.dropFirst(before + first.count)) == Array(first))
    bench.turn(10)
    #expect(bench.ended?.frames == 10_000 && bench.lost.isEmpty && bench.shifts.isEmpty)
    #expect(bench.started?.moment == Moment(nanoseconds: due))
    let end = try #require(bench.ended).moment.moment.nanoseconds
    #expect(abs(end - due - 208_333_333) <= 20)
  }

  @Test("frames that were not prepared in time are a loss, and what comes later keeps its time")
  func starved() throws {
    let bench = try CycleBench()
    bench.turn(20)
    let samples = Self.ramp(4096)
    #expect(bench.load(samples, due: bench.nsec, written: 1500))
    bench.turn(2)
    bench.engine.write(Array(samples[3000...]))
    bench.turn(4)
    #expect(bench.lost == [548])
    #expect(bench.ended?.frames == 4096 - 548)
    #expect(bench.sounds.contains(2049) && !bench.sounds.contains(1501))
  }

  @Test("a clock that jumps is a shift of that size", arguments: [5_000_000, -3_000_000])
  func jump(slip: Int64) throws {
    let bench = try CycleBench()
    bench.turn(20)
    #expect(bench.load(Self.ramp(20_480), due: bench.nsec))
    bench.turn(5)
    bench.nsec += slip
    bench.turn(20)
    #expect(bench.shifts == [.nanoseconds(slip)])
    #expect(bench.ended?.frames == 20_480)
  }

  @Test(
    "another driver goes on with the stimulus: its position means nothing, its time does, and every shift is reported",
    arguments: [7_000_000, 50_000, 0])
  func driver(slip: Int64) throws {
    let bench = try CycleBench()
    bench.turn(20)
    #expect(bench.load(Self.ramp(20_480), due: bench.nsec))
    bench.turn(5)
    (bench.driver, bench.position) = (77, 12)
    bench.nsec += slip
    bench.turn(20)
    #expect(bench.events.contains(.driverChanged(77)))
    #expect(bench.shifts.count == 1 && bench.shifts.allSatisfy { abs($0.nanoseconds - slip) <= 1 })
    #expect(bench.lost.isEmpty && bench.ended?.frames == 20_480)
  }

  @Test("another driver before the stimulus begins is reported, and is not a shift")
  func driverBefore() throws {
    let bench = try CycleBench()
    bench.turn(20)
    #expect(bench.load(Self.ramp(2048), due: bench.nsec + 10 * bench.cycle))
    bench.turn(2)
    (bench.driver, bench.position) = (77, 12)
    bench.turn(20)
    #expect(bench.events.first == .driverChanged(77))
    #expect(bench.shifts.isEmpty && bench.lost.isEmpty && bench.ended?.frames == 2048)
  }

  @Test("a stop fades along half a cosine; before the onset nothing sounds")
  func stop() throws {
    let bench = try CycleBench()
    bench.turn(20)
    #expect(bench.load([Float](repeating: 1, count: 40_960), due: bench.nsec))
    bench.turn(2)
    bench.engine.stop(fade: 4)
    bench.turn(3)
    #expect(bench.ended?.frames == 2052)
    // (1 + cos(π (k + ½) / 4)) / 2 for k = 0…3.
    let tail = bench.sounds.filter { $0 != 1 }
    let expected: [Float] = [0.961_939_8, 0.691_341_7, 0.308_658_3, 0.038_060_2]
    #expect(tail.count == 4 && zip(tail, expected).allSatisfy { abs($0 - $1) < 1e-6 })

    let other = try CycleBench()
    other.turn(20)
    #expect(other.load(Self.ramp(100), due: other.nsec + 10_000_000_000))
    other.turn(2)
    other.engine.stop(fade: 480)
    other.turn(2)
    #expect(other.ended?.frames == 0 && other.onset == nil && !other.engine.isBusy)
  }

  @Test("a graph that changes its rate ends the stimulus")
  func rate() throws {
    let bench = try CycleBench()
    bench.turn(20)
    #expect(bench.engine.load(due: Moment(nanoseconds: bench.nsec), frames: 100, rate: 44_100))
    bench.engine.start()
    bench.turn(2)
    #expect(bench.events == [.rateChanged(48_000)] && bench.onset == nil)
  }

  @Test("plays one after the other, and never two together")
  func several() throws {
    let bench = try CycleBench()
    bench.turn(20)
    for _ in 0..<3 {
      #expect(bench.load(Self.ramp(100), due: bench.nsec + 30_000_000))
      #expect(!bench.load(Self.ramp(100), due: bench.nsec))
      bench.turn(5)
    }
    #expect(bench.sounds.count { $0 == 100 } == 3)
  }

  @Test("allocates nothing on the real-time thread")
  func allocations() throws {
    let bench = try CycleBench()
    bench.turn(100)
    #expect(bench.load(Self.ramp(9000), due: bench.nsec))
    bench.turn(5)
    bench.skip(1)
    bench.engine.stop(fade: 100)
    bench.turn(5)
    #expect(bench.ended != nil && bench.allocations == 0)
  }
}

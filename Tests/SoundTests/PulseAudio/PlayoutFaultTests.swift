import Basics
import Quantities
import Study
import Testing

@testable import Sound

@Suite("What is told of a stimulus that did not go as it should")
struct PlayoutFaultTests {
  /// The sink has taken 30 ms more than it plays; the stimulus is placed 290 ms ahead, and again 90 ms ahead.
  private static let taken: Int64 = 30_000_000

  @Test(
    "a program that is held up while it places tells how much of the beginning may be lost",
    arguments: [(delay: Int64(250_000_000), isLate: false), (270_000_000, true), (300_000_000, true)])
  func heldUp(delay: Int64, isLate: Bool) throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.delays = [delay]
    rehearsal.run()
    let started = try #require(rehearsal.started)
    let ended = try #require(rehearsal.ended)
    #expect(rehearsal.gaps.isEmpty == !isLate)
    // The server gets it just after the delay, which began 289 ms ahead; by then the sink has taken 30 ms more.
    let missing = max(0, 2_710_700_000 + delay + Self.taken - 3_000_000_000)
    let heard = 3_000_000_000 + missing
    #expect(abs(started.moment.nanoseconds - 3_000_000_000) <= started.uncertainty.nanoseconds)
    #expect(abs(started.moment.nanoseconds - heard) <= started.uncertainty.nanoseconds + 500_000)
    #expect(started.uncertainty.nanoseconds < 200_000 + missing)
    let lost = 48_000 - ended.frames
    #expect(abs(lost - Frames(nanoseconds: missing, rate: 48_000).count) < 48)
  }

  @Test("an answer to an older question does not confirm a placing")
  func stale() throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.delays = [300_000_000]
    rehearsal.staleAnswers = 2
    rehearsal.run()
    #expect(rehearsal.gaps.count == 1)
    #expect(try #require(rehearsal.ended).frames < 48_000)
  }

  @Test("a stimulus of which nothing came in time was not played")
  func allLost() throws {
    var rehearsal = Rehearsal(frames: 480, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.delays = [400_000_000]
    rehearsal.run()
    #expect(try #require(rehearsal.ended).frames == 0)
    #expect(rehearsal.gaps.count == 1)
  }

  @Test("a program that is held up while it moves the stimulus tells of the splice", arguments: [true, false])
  func heldUpAdjusting(isLate: Bool) throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.step()
    rehearsal.origin -= 41_667
    rehearsal.delays = [isLate ? 100_000_000 : 10_000_000]
    rehearsal.run()
    #expect(rehearsal.placed == 96_002)
    #expect(rehearsal.slips == (isLate ? [.nanoseconds(41_667)] : []))
    // It was heard where it lay before.
    let onset = rehearsal.origin + Frames(isLate ? 96_000 : 96_002).nanoseconds(rate: 48_000)
    let started = try #require(rehearsal.started)
    #expect(abs(started.moment.nanoseconds - onset) <= started.uncertainty.nanoseconds)
    #expect(try #require(rehearsal.ended).frames == 48_000)
  }

  @Test("an answer that is old when it is read does not let the stimulus be placed where the sink already is")
  func oldAnswer() throws {
    let station = Playout.Station(rate: 48_000, sinkLatency: 30_000_000, resolution: 20_000)
    var playout = Playout(frames: 4800, at: Moment(nanoseconds: 2_000_000_000), on: station)
    _ = playout.timeCame(now: Moment(nanoseconds: 2_000_000_000))
    let snapshot = TimingSnapshot(
      asked: 2_000_000_000, stamped: 2_000_050_000, readFrame: 48_000, sinkLatency: 30_000_000, rate: 48_000)
    let steps = playout.answered(snapshot, now: Moment(nanoseconds: 2_200_050_000))
    // 30 ms of the sink and 5 ms of margin after what it has taken in the 200 ms since.
    #expect(steps.first == .place(at: 48_000 + 9600 + 1680))
  }

  @Test(
    "a sink that slips while it sounds is told within a second, with how far",
    arguments: [Int64(1_000_000), 12_500_000, 250_000_000])
  func slips(length: Int64) throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.standstill = (6_100_000_000, length)
    while rehearsal.slips.isEmpty, !rehearsal.isFinished { rehearsal.step() }
    #expect(rehearsal.now.nanoseconds < 7_500_000_000)
    let slip = try #require(rehearsal.slips.first)
    // The server rounds to a frame.
    #expect(abs(slip.nanoseconds - length) < 50_000)
    rehearsal.run()
    #expect(rehearsal.slips.count == 1)
    #expect(try #require(rehearsal.ended).frames == 480_000)
  }

  @Test("a sink whose clock is 160 millionths fast does not slip, and a longer trial is no worse", arguments: [3, 300])
  func drift(seconds: Int) throws {
    var rehearsal = Rehearsal(frames: 48_000 * seconds, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.drift = 160
    rehearsal.run()
    #expect(rehearsal.slips.isEmpty)
    #expect(try #require(rehearsal.ended).frames == 48_000 * seconds)
  }

  @Test(
    "a sink whose clock is fast is within the uncertainty, however late it is looked at", arguments: [0, 400, 4000])
  func lateLook(milliseconds: Int64) throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.drift = 160
    while let alarm = rehearsal.alarm, alarm.nanoseconds < 3_000_000_000 { rehearsal.step() }
    rehearsal.now = Moment(nanoseconds: 3_015_000_000 + milliseconds * 1_000_000)
    rehearsal.step()
    let started = try #require(rehearsal.started)
    #expect(abs(started.moment.nanoseconds - 3_000_000_000) <= started.uncertainty.nanoseconds)
    #expect(started.uncertainty.nanoseconds < 100_000 + milliseconds * 300)
  }

  @Test("a suspension is not a slip besides")
  func suspension() throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    rehearsal.standstill = (rehearsal.now.nanoseconds, 2_500_000_000)
    rehearsal.perform(rehearsal.playout.disturbed(.suspended, now: rehearsal.now))
    rehearsal.step()
    rehearsal.step()
    rehearsal.now = Moment(nanoseconds: 5_600_000_000)
    rehearsal.perform(rehearsal.playout.disturbed(.resumed, now: rehearsal.now))
    rehearsal.run()
    #expect(rehearsal.slips.isEmpty && rehearsal.ended != nil)
  }

  @Test("a volume is passed on and changes nothing else")
  func volume() throws {
    var rehearsal = Rehearsal(frames: 4800, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    rehearsal.perform(rehearsal.playout.disturbed(.muted, now: rehearsal.now))
    rehearsal.run()
    #expect(rehearsal.events.count == 3 && rehearsal.events[1] == .disturbed(.muted))
  }

  @Test(
    "a sink that rushes past a stimulus has not played it before it was handed over: it is laid again, and this is told",
    arguments: [Int64(400_000_000), 1_900_000_000])
  func rushes(length: Int64) throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_900_000_000)
    rehearsal.step()
    let handedOver = rehearsal.now
    // The server goes on after it was stopped, and catches up.
    rehearsal.origin -= length
    rehearsal.run()
    let started = try #require(rehearsal.started)
    let ended = try #require(rehearsal.ended)
    #expect(started.moment >= handedOver && started.uncertainty < .milliseconds(1))
    #expect(abs(started.moment.duration(to: ended.moment.moment).nanoseconds - 1_000_000_000) < 1_000_000)
    #expect(ended.frames == 48_000)
    let slip = try #require(rehearsal.slips.first)
    #expect(rehearsal.slips.count == 1 && slip > .zero && slip <= .nanoseconds(length))
  }

  @Test("a sink that never stops rushing gives an onset that is not before the stimulus was handed over")
  func keepsRushing() throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_900_000_000)
    var handedOver = rehearsal.now
    while rehearsal.started == nil, !rehearsal.isFinished {
      let before = rehearsal.placed
      rehearsal.step()
      guard rehearsal.placed != before else { continue }
      handedOver = rehearsal.now
      rehearsal.origin -= 1_000_000_000
    }
    let started = try #require(rehearsal.started)
    // The bound is the moment just before the placing.
    #expect(started.moment.nanoseconds >= handedOver.nanoseconds - 1_000_000)
    #expect(started.uncertainty > .milliseconds(500))
  }

  @Test(
    "a server that answers once per cycle is bounded by the latest of many answers, and shows no shifts",
    arguments: [5_333_333, 21_333_333, 42_666_667])
  func envelope(cycle: Int64) throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_000_000_000, granularity: cycle)
    rehearsal.standstill = (6_100_000_000, 14_200_000)
    rehearsal.run()
    let placed = try #require(rehearsal.placed)
    let onset = rehearsal.origin + Frames(placed).nanoseconds(rate: Rehearsal.rate)
    let started = try #require(rehearsal.started)
    let ended = try #require(rehearsal.ended).moment
    #expect(abs(onset - 3_000_000_000) < cycle / 10)
    #expect(abs(started.moment.nanoseconds - onset) <= started.uncertainty.nanoseconds)
    #expect(abs(ended.moment.nanoseconds - onset - 10_014_200_000) <= ended.uncertainty.nanoseconds)
    #expect(max(started.uncertainty, ended.uncertainty) < .milliseconds(5))
    #expect(rehearsal.slips.isEmpty)
  }

  @Test("a single answer of such a server is no better known than its cycle")
  func granularity() throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 2_000_000_000, now: 2_000_000_000, granularity: 21_333_333)
    rehearsal.step()
    let stopped = rehearsal.playout.stop(fade: 1, now: rehearsal.now)
    rehearsal.perform(stopped)
    rehearsal.run()
    let ended = try #require(rehearsal.ended)
    #expect(ended.frames > 0 || ended.moment.uncertainty >= .nanoseconds(21_333_333))
  }
}

import Basics
import Quantities
import Study
import Testing

@testable import Sound

@Suite("The course of a stimulus")
struct PlayoutTests {
  @Test("a stimulus is placed ahead of its moment, heard, and measured at both ends", arguments: [48, 9600, 1_440_000])
  func course(frames: Int) throws {
    var rehearsal = Rehearsal(frames: frames, scheduled: 3_000_000_000, now: 2_000_000_000)
    #expect(rehearsal.alarm == Moment(nanoseconds: 2_710_000_000))
    rehearsal.step()
    #expect(rehearsal.placed == 96_000)
    #expect(rehearsal.now < Moment(nanoseconds: 2_712_000_000))
    #expect(rehearsal.alarm == Moment(nanoseconds: 2_910_000_000))
    rehearsal.run()
    let started = try #require(rehearsal.started)
    let ended = try #require(rehearsal.ended)
    #expect(rehearsal.events == [.started(started), .ended(ended.moment, frames: frames)])
    #expect(abs(started.moment.nanoseconds - 3_000_000_000) <= started.uncertainty.nanoseconds)
    let end = 3_000_000_000 + Frames(frames).nanoseconds(rate: 48_000)
    #expect(abs(ended.moment.moment.nanoseconds - end) <= ended.moment.uncertainty.nanoseconds)
    #expect(rehearsal.isFinished && rehearsal.now.nanoseconds >= end)
  }

  @Test(
    "a stimulus is moved along with a sink whose clock strays, while there is time",
    arguments: [
      (delay: Int64(0), placed: 96_002), (delay: 20_000_000, placed: 96_002), (delay: 60_000_000, placed: 96_000),
    ])
  func adjustment(delay: Int64, placed: Int) throws {
    var rehearsal = Rehearsal(frames: 4800, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.step()
    #expect(rehearsal.placed == 96_000)
    // Two frames of 48 kHz: what a sink that is 200 ppm fast gains in 0.2 s. The machine is busy for `delay`.
    rehearsal.origin -= 41_667
    rehearsal.now = Moment(nanoseconds: 2_910_000_000 + delay)
    rehearsal.run()
    #expect(rehearsal.placed == placed)
    let started = try #require(rehearsal.started)
    let onset = rehearsal.origin + Frames(placed).nanoseconds(rate: 48_000)
    #expect(abs(started.moment.nanoseconds - onset) <= started.uncertainty.nanoseconds)
  }

  @Test("a station's output latency is part of what is reported, not of what is placed")
  func outputLatency() throws {
    var rehearsal = Rehearsal(frames: 480, scheduled: 3_000_000_000, now: 2_000_000_000, outputLatency: 7_000_000)
    rehearsal.run()
    #expect(rehearsal.placed == 96_000)
    let started = try #require(rehearsal.started)
    #expect(abs(started.moment.nanoseconds - 3_007_000_000) <= started.uncertainty.nanoseconds)
  }

  @Test(
    "a moment too near or past sounds as soon as the sink can, and the onset says so",
    arguments: [
      Int64(2_050_000_000), 2_000_000_000, 1_000_000_000,
    ])
  func late(scheduled: Int64) throws {
    var rehearsal = Rehearsal(frames: 480, scheduled: scheduled, now: 2_000_000_000)
    rehearsal.run()
    let placed = try #require(rehearsal.placed)
    let onset = rehearsal.origin + Frames(placed).nanoseconds(rate: 48_000)
    #expect((2_060_000_000...2_080_000_000).contains(onset))
    let started = try #require(rehearsal.started)
    #expect(abs(started.moment.nanoseconds - onset) <= started.uncertainty.nanoseconds)
  }

  @Test("a stop ends the sound soon and counts what was played")
  func stop() throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    let asked = rehearsal.now.nanoseconds
    rehearsal.perform(rehearsal.playout.stop(fade: 480, now: rehearsal.now))
    let cut = try #require(rehearsal.cut)
    rehearsal.run()
    let ended = try #require(rehearsal.ended)
    #expect(ended.frames == cut + 480 - 96_000)
    #expect(ended.moment.moment.nanoseconds - asked < 100_000_000)
    #expect(rehearsal.isFinished)
  }

  @Test("a stop before the onset leaves no sound")
  func stopEarly() throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.step()
    rehearsal.perform(rehearsal.playout.stop(fade: 480, now: rehearsal.now))
    #expect(try #require(rehearsal.ended).frames == 0)
    #expect(rehearsal.started == nil && rehearsal.isFinished)
  }

  @Test("frames that the sink found missing are reported and not counted")
  func gap() throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    let dry = 96_000 + 600
    rehearsal.playout.underran(at: dry)
    let taken = Frames(nanoseconds: rehearsal.now.nanoseconds + 60_000 - rehearsal.origin + 30_000_000, rate: 48_000)
    rehearsal.perform([.ask])
    rehearsal.run()
    let ended = try #require(rehearsal.ended)
    #expect(ended.frames == 48_000 - (taken.count - dry))
    #expect(rehearsal.gaps.count == 1)
    #expect(abs(try #require(rehearsal.gaps.first).nanoseconds - 3_012_500_000) < 60_000)
  }

  @Test("a gap outside the stimulus is nobody's business")
  func gapOutside() throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.playout.underran(at: 100)
    rehearsal.run()
    #expect(rehearsal.events.count == 2)
    #expect(try #require(rehearsal.ended).frames == 48_000)
  }

  @Test(
    "a sink that stands still makes it all later, and the end is measured afresh",
    arguments: [
      Int64(2_950_000_000), 3_100_000_000, 3_990_000_000,
    ])
  func standstill(from: Int64) throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.standstill = (from, 1_500_000_000)
    rehearsal.run()
    let ended = try #require(rehearsal.ended)
    #expect(abs(ended.moment.moment.nanoseconds - 5_500_000_000) <= ended.moment.uncertainty.nanoseconds)
    let onset = from < 3_000_000_000 ? 4_500_000_000 : Int64(3_000_000_000)
    let started = try #require(rehearsal.started)
    #expect(abs(started.moment.nanoseconds - onset) <= started.uncertainty.nanoseconds)
  }

  @Test(
    "a server that answers nothing fails the stimulus two seconds after it was asked",
    arguments: [
      (frozen: Int64(2_000_000_000), failed: Int64(4_710_000_000)), (frozen: 2_800_000_000, failed: 4_910_000_000),
      (frozen: 3_500_000_000, failed: 6_002_000_000),
    ])
  func frozen(frozen: Int64, failed: Int64) {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while let alarm = rehearsal.alarm, alarm.nanoseconds < frozen { rehearsal.step() }
    rehearsal.isFrozen = true
    rehearsal.run()
    #expect(rehearsal.events.last == .failed(reason: "the sound server has not answered for 2.0 s"))
    #expect(rehearsal.isFinished && rehearsal.isHushed)
    #expect(abs(rehearsal.now.nanoseconds - failed) < 1_000_000)
  }

  @Test("a stop that the server does not answer fails after two seconds")
  func frozenStop() {
    var rehearsal = Rehearsal(frames: 48_000_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    let asked = rehearsal.now
    rehearsal.isFrozen = true
    rehearsal.perform(rehearsal.playout.stop(fade: 480, now: asked))
    rehearsal.run()
    #expect(rehearsal.events.last == .failed(reason: "the sound server has not answered for 2.0 s"))
    #expect(rehearsal.now == asked.advanced(by: .seconds(2)))
  }

  @Test("a suspended sink is reported first, and fails the stimulus when its end is two seconds overdue")
  func suspended() throws {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    rehearsal.standstill = (rehearsal.now.nanoseconds, .max / 2)
    rehearsal.perform(rehearsal.playout.disturbed(.suspended, now: rehearsal.now))
    rehearsal.run()
    #expect(
      rehearsal.events.dropFirst() == [.disturbed(.suspended), .failed(reason: "the sink “ears” is suspended")])
    #expect(rehearsal.isFinished && rehearsal.isHushed)
    #expect(abs(rehearsal.now.nanoseconds - 6_000_000_000) < 1_000_000)
  }

  @Test(
    "a stop on a suspended sink fails two seconds later, not when the whole would have ended, on a busy machine too",
    arguments: [60_000, 10_000_000, 20_000_000, 40_000_000])
  func suspendedStop(answerTime: Int64) throws {
    var rehearsal = Rehearsal(frames: 48_000_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    let since = rehearsal.now
    rehearsal.answerTime = answerTime
    rehearsal.standstill = (since.nanoseconds, .max / 2)
    rehearsal.perform(rehearsal.playout.disturbed(.suspended, now: since))
    rehearsal.perform(rehearsal.playout.stop(fade: 480, now: since))
    rehearsal.run()
    #expect(rehearsal.events.last == .failed(reason: "the sink “ears” is suspended"))
    // Up to sixty answers are asked for before the deadline is looked at.
    #expect(rehearsal.now.nanoseconds - since.nanoseconds <= 2_020_000_000 + 61 * answerTime)
  }

  @Test("a sink that is resumed within the limit plays on, however long it was suspended in a long stimulus")
  func resumed() throws {
    var rehearsal = Rehearsal(frames: 480_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    while rehearsal.started == nil { rehearsal.step() }
    let since = rehearsal.now
    rehearsal.standstill = (since.nanoseconds, 9_000_000_000)
    rehearsal.perform(rehearsal.playout.disturbed(.suspended, now: since))
    rehearsal.now = since.advanced(by: .seconds(9))
    rehearsal.perform(rehearsal.playout.disturbed(.resumed, now: rehearsal.now))
    rehearsal.run()
    let ended = try #require(rehearsal.ended)
    #expect(ended.frames == 480_000 && rehearsal.isFinished && !rehearsal.isHushed)
    #expect(abs(ended.moment.moment.nanoseconds - 22_000_000_000) <= ended.moment.uncertainty.nanoseconds)
  }

  @Test("a sink that stands still without a word fails the stimulus too")
  func stuck() {
    var rehearsal = Rehearsal(frames: 48_000, scheduled: 3_000_000_000, now: 2_000_000_000)
    rehearsal.standstill = (3_500_000_000, .max / 2)
    rehearsal.run()
    #expect(rehearsal.events.last == .failed(reason: "the sink “ears” plays nothing"))
    #expect(rehearsal.isFinished)
  }
}

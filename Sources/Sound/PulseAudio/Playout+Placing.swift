import Basics
import Quantities
import Study

// Places the stimulus on the stream.

extension Playout {
  static let margin: Int64 = 5_000_000

  mutating func place(by origin: StreamOrigin, _ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    let start = max(origin.frame(at: scheduled, rate: rate), earliestFrame(after: snapshot, now: now))
    frames = start..<(start + frames.count)
    if fade == nil { due = max(due, origin.moment(of: frames.upperBound, rate: rate)) }
    let adjustment = later(scheduled, by: -station.placement)
    // The envelope of many answers takes longer than is left then.
    let isEarly = now < adjustment && station.tellsShifts
    phase = isEarly ? .waiting : .placed
    return lay(Placing(former: nil, then: isEarly ? adjustment : settled(by: origin)), now: now)
  }

  /// Moves the stimulus to the latest estimate of its onset, unless the sink is already too close.
  mutating func adjust(by origin: StreamOrigin, _ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    phase = .placed
    let start = origin.frame(at: scheduled, rate: rate)
    let former = frames.lowerBound
    let isSafe = min(start, former) >= earliestFrame(after: snapshot, now: now)
    guard isSafe, start != former else { return [.wait(until: settled(by: origin))] }
    frames = start..<(start + frames.count)
    return lay(Placing(former: former, then: settled(by: origin)), now: now)
  }

  /// Writes the stimulus at its place and asks whether it was in time, because this program may be delayed at any
  /// point.
  private mutating func lay(_ placing: Placing, now: Moment) -> [Step] {
    self.placing = placing
    // The former placement may be the audible one: see `confirm`.
    formerlyHandedOver = placing.former == nil ? nil : handedOver
    handedOver = now
    asked = now
    return [.place(at: frames.lowerBound), .ask]
  }

  /// Handles the answer after placing: the sink's position shows whether the stimulus came too late.
  ///
  /// A sink that can rewind may have played these frames all the same; in doubt they are reported as lost.
  mutating func confirm(_ placing: Placing, _ snapshot: TimingSnapshot) -> [Step] {
    let origin = StreamOrigin([snapshot], resolution: station.resolution)
    let first = min(frames.lowerBound, placing.former ?? frames.lowerBound)
    let wait = Step.wait(until: placing.then)
    guard snapshot.readFrame > first else { return [wait] }
    if let former = placing.former {
      // It began at its former place and continues at the new one.
      handedOver = formerlyHandedOver ?? handedOver
      let shift = frames.lowerBound - former
      firstHeard = min(0, -shift)...max(0, -shift)
      guard station.tellsShifts else { return [wait] }
      let slip = Frames(shift).nanoseconds(rate: rate)
      return [.report(.disturbed(.shifted(by: .nanoseconds(slip)))), wait]
    }
    let lost = min(snapshot.readFrame - first, frames.count)
    firstHeard = 0...lost
    lostFrames += lost
    return [.report(.disturbed(.underrun(at: measured(first, by: origin).moment))), wait]
  }

  /// Places the stimulus again, as soon as possible, after the sink has rushed past it: a server that resumes after a
  /// stop catches up, and the frames that it takes meanwhile seem to have been played before they were written.
  ///
  /// `nil` if the onset is possible, or after too many attempts.
  mutating func layAgain(after origin: StreamOrigin, _ snapshot: TimingSnapshot, now: Moment) -> [Step]? {
    guard let shift = precedence(by: origin), rushes < Self.maxRushes else { return nil }
    rushes += 1
    firstHeard = 0...0
    lostFrames = 0
    let start = earliestFrame(after: snapshot, now: now)
    frames = start..<(start + frames.count)
    due = max(due, origin.moment(of: frames.upperBound, rate: rate))
    phase = .placed
    return [.report(.disturbed(.shifted(by: .nanoseconds(shift))))]
      + lay(Placing(former: nil, then: settled(by: origin)), now: now)
  }

  private static let maxRushes = 3

  /// By how much the onset seems to precede the time at which the stimulus was written, in nanoseconds; `nil` if it
  /// does not, or only within the uncertainty.
  private func precedence(by origin: StreamOrigin) -> Int64? {
    guard let handedOver else { return nil }
    let onset = measured(frames.lowerBound + firstHeard.upperBound, by: origin)
    let latest =
      onset.moment.nanoseconds - station.outputLatency + onset.uncertainty.nanoseconds - station.outputUncertainty
    return latest < handedOver.nanoseconds ? handedOver.nanoseconds - onset.moment.nanoseconds : nil
  }

  mutating func cut(over fade: Int, _ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    let origin = StreamOrigin([snapshot], resolution: station.resolution)
    let from = min(max(earliestFrame(after: snapshot, now: now), frames.lowerBound), frames.upperBound)
    let end = from == frames.lowerBound ? from : min(from + fade, frames.upperBound)
    frames = frames.lowerBound..<end
    snapshots.removeAll(keepingCapacity: true)
    let cut = Step.cut(at: from, over: fade)
    if frames.isEmpty {
      // No frame of it will sound.
      phase = .over
      return [cut, .report(.ended(measured(end, by: origin), frames: 0)), .finish]
    }
    switch phase {
    case .waiting, .adjusting, .placed, .measuringOnset:
      phase = .placed
      return [cut, .wait(until: settled(by: origin))]
    default:
      phase = .sounding
      return [cut, waitForEnd(by: origin, now: now)]
    }
  }

  mutating func gapEnded(from dry: Int, _ snapshot: TimingSnapshot) -> [Step] {
    guard phase != .pending, phase != .placing else { return [] }
    let gap = frames.clamped(to: dry..<max(dry, snapshot.readFrame))
    guard !gap.isEmpty else { return [] }
    lostFrames += gap.count
    let origin = StreamOrigin([snapshot], resolution: station.resolution)
    return [.report(.disturbed(.underrun(at: measured(gap.lowerBound, by: origin).moment)))]
  }

  /// The first frame that the sink has certainly not taken, provided it is written soon.
  private func earliestFrame(after snapshot: TimingSnapshot, now: Moment) -> Int {
    let age = max(0, now.nanoseconds - snapshot.stamped)
    return snapshot.readFrame + Frames(nanoseconds: age + station.sinkLatency + Self.margin, rate: rate).count
  }
}

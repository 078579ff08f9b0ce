import Quantities
import Study

// Measures onset and offset from the server's answers.

extension Playout {
  static let pause: Int64 = 2_000_000
  private static let settling: Int64 = 15_000_000
  private static let enough = 9
  /// The answers of a server that reports once per cycle, of which the latest bound counts, and their distance.
  private static let envelope = 60
  private static let spacing: Int64 = 3_000_000
  private static let patience = 60
  private static let vagueness: Int64 = 60_000
  /// The interval at which the sink is checked while the stimulus sounds; a shift is reported within it.
  private static let watch: Int64 = 1_000_000_000

  mutating func measure(_ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    let wanted: Int
    switch phase {
    case .placing: wanted = isLate(now) ? 1 : enough
    case .adjusting, .measuringOnset, .measuringEnd: wanted = enough
    case .pending, .waiting, .placed, .sounding, .over: return []
    }
    // The next request follows immediately: threads that have just run wake sooner, which narrows the bounds.
    snapshots.append(snapshot)
    guard let origin = settledOrigin(wanted: wanted) else {
      return station.tellsShifts ? askAgain(now: now) : [.wait(until: later(now, by: Self.spacing))]
    }
    snapshots.removeAll(keepingCapacity: true)
    switch phase {
    case .placing: return place(by: origin, snapshot, now: now)
    case .adjusting: return adjust(by: origin, snapshot, now: now)
    case .measuringOnset: return onset(by: origin, snapshot, now: now)
    default: return end(by: origin, now: now)
    }
  }

  private var enough: Int { station.followsCard ? 1 : station.tellsShifts ? Self.enough : Self.envelope }

  /// The estimate from the latest answers once enough of them agree closely; after many attempts, the best available.
  private func settledOrigin(wanted: Int) -> StreamOrigin? {
    guard snapshots.count >= wanted else { return nil }
    if !station.tellsShifts { return StreamOrigin(envelopeOf: snapshots, resolution: station.resolution) }
    let agreeing = StreamOrigin.agreeing(snapshots, resolution: station.resolution)
    let origin = StreamOrigin(
      agreeing.count >= wanted ? agreeing : snapshots.suffix(wanted), resolution: station.resolution)
    let isGood = agreeing.count >= wanted && origin.uncertainty - station.resolution <= Self.vagueness
    return isGood || wanted == 1 || snapshots.count >= Self.patience ? origin : nil
  }

  /// Whether no time is left for several measurements.
  private func isLate(_ now: Moment) -> Bool {
    now.nanoseconds > scheduled.nanoseconds - station.placement + 4 * Self.margin
  }

  func settled(by origin: StreamOrigin) -> Moment {
    later(origin.moment(of: frames.lowerBound, rate: rate), by: Self.settling)
  }

  private mutating func onset(by origin: StreamOrigin, _ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    guard origin.readFrame > frames.lowerBound, origin.moment(of: frames.lowerBound, rate: rate) <= now else {
      // The sink was suspended meanwhile. If answers take long, their vague origin alone may lie before now.
      phase = .placed
      return [.wait(until: settled(by: origin))]
    }
    if let steps = layAgain(after: origin, snapshot, now: now) { return steps }
    phase = .sounding
    lastMeasured = (origin, now)
    return [.report(.started(firstHeardMoment(by: origin))), waitForEnd(by: origin, now: now)]
  }

  /// The onset; if the beginning was lost, the middle of its possible range.
  private func firstHeardMoment(by origin: StreamOrigin) -> MeasuredMoment {
    var onset = measured(frames.lowerBound + (firstHeard.lowerBound + firstHeard.upperBound) / 2, by: origin)
    onset.uncertainty += .nanoseconds(Frames(firstHeard.count - 1).nanoseconds(rate: rate) / 2)
    return onset.notBefore(handedOver?.advanced(by: .nanoseconds(station.outputLatency)))
  }

  /// Checks the sink while the stimulus sounds, and measures the end.
  private mutating func end(by origin: StreamOrigin, now: Moment) -> [Step] {
    let steps = slip(to: origin, now: now)
    let end = origin.moment(of: frames.upperBound, rate: rate)
    guard origin.readFrame >= frames.upperBound, end <= now else {
      phase = .sounding
      return steps + [waitForEnd(by: origin, now: later(now, by: Self.settling))]
    }
    phase = .over
    let played = max(0, frames.count - lostFrames)
    return steps + [.report(.ended(measured(frames.upperBound, by: origin), frames: played)), .finish]
  }

  /// Reports the playback shift since the last check if it exceeds the uncertainty and the drift of the sink's clock.
  private mutating func slip(to origin: StreamOrigin, now: Moment) -> [Step] {
    defer { lastMeasured = suspended == nil ? (origin, now) : nil }
    guard station.tellsShifts, let (former, then) = lastMeasured else { return [] }
    let straying = StreamOrigin.straying(in: now.nanoseconds - then.nanoseconds)
    let slip = origin.time - former.time
    guard abs(slip) > origin.uncertainty + former.uncertainty + straying else { return [] }
    return [.report(.disturbed(.shifted(by: .nanoseconds(slip))))]
  }

  func measured(_ frame: Int, by origin: StreamOrigin) -> MeasuredMoment {
    MeasuredMoment(
      moment: origin.moment(of: frame, rate: rate).advanced(by: .nanoseconds(station.outputLatency)),
      uncertainty: .nanoseconds(
        origin.uncertainty(of: frame, rate: rate) + (origin.isEnvelope ? 0 : station.granularity)
          + station.outputUncertainty))
  }

  func waitForEnd(by origin: StreamOrigin, now: Moment) -> Step {
    let end = later(origin.moment(of: frames.upperBound, rate: rate), by: Self.pause)
    return .wait(until: max(min(end, later(now, by: Self.watch)), now))
  }
}

extension MeasuredMoment {
  /// Limits the moment to be no earlier than a bound; the uncertainty still covers the measured value.
  fileprivate func notBefore(_ bound: Moment?) -> MeasuredMoment {
    guard let bound, moment < bound else { return self }
    return MeasuredMoment(moment: bound, uncertainty: uncertainty + moment.duration(to: bound))
  }
}

import Basics
import Quantities
import Testing

@testable import Bundles
@testable import Study

@Suite("Onsets that followed a heartbeat")
struct LockAccountTests {
  /// A second and its thousandths as a time.
  private static func at(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

  private static func account(
    _ lock: OnsetLock, expected: Int, triggers: [Int] = [], beats: [Int], intervals: Int = 1
  ) -> LockAccount {
    var account = LockAccount()
    for trigger in triggers.prefix(1) {
      account.take(.beatTriggered(sensor: "ecg", peak: at(trigger)), at: at(trigger))
    }
    account.take(
      .soundLocked(step: "tone", LockedBeat(sensor: "ecg", lock: lock, expected: at(expected))), at: at(expected))
    for trigger in triggers.dropFirst() {
      account.take(.beatTriggered(sensor: "ecg", peak: at(trigger)), at: at(trigger))
    }
    for beat in stride(from: intervals - 1, to: beats.count, by: intervals).map({ beats[$0] }) {
      let reading = SensorReading(
        sensor: "ecg", heartRate: 60, rrIntervals: Array(repeating: 1000, count: intervals), contact: nil,
        arrived: at(beat + 400))
      account.take(.reading(reading), at: at(beat))
    }
    return account
  }

  @Test(
    "say the true delay from the R peak that was found later, in readings of one beat or of several", arguments: [1, 2])
  func delay(intervals: Int) throws {
    let account = Self.account(
      OnsetLock(delay: .milliseconds(250)), expected: 3003, triggers: [1002, 2001, 3003, 4000],
      beats: [1000, 2000, 3000, 4000], intervals: intervals)
    let lock = try #require(account.lock(onset: MeasuredTime(time: .milliseconds(3254), uncertainty: .zero)))
    #expect(lock.rPeak?.time == .milliseconds(3000) && lock.trueDelay == .milliseconds(254))
    #expect(lock.triggers == 4 && lock.falseTriggers == [] && lock.missedPeaks == [])
  }

  @Test("list triggers that were no R peak, and R peaks that were not seen at once")
  func faults() throws {
    let account = Self.account(
      OnsetLock(delay: .milliseconds(250)), expected: 2400, triggers: [1000, 2400, 4000],
      beats: [1000, 2000, 3000, 4000])
    let lock = try #require(account.lock(onset: nil))
    #expect(lock.rPeak == nil && lock.trueDelay == nil)
    #expect(lock.falseTriggers.map(\.time) == [.milliseconds(2400)])
    #expect(lock.missedPeaks.map(\.time) == [.milliseconds(2000), .milliseconds(3000)])
  }

  @Test("pair a predicted beat with the R peak that came", arguments: [(3070, 3000), (2700, 3000), (3460, nil)])
  func predicted(expected: Int, peak: Int?) throws {
    let account = Self.account(
      OnsetLock(beat: .predicted, delay: .zero), expected: expected, beats: [1000, 2000, 3000])
    let lock = try #require(account.lock(onset: nil))
    #expect(lock.rPeak?.time == peak.map { .milliseconds($0) } && lock.triggers == 0)
  }

  @Test("are none without a lock")
  func none() { #expect(LockAccount().lock(onset: nil) == nil) }
}

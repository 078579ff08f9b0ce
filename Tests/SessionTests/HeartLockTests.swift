import Basics
import Bundles
import Quantities
import Sensors
import Testing

@testable import Session
@testable import Study

@Suite("Sounds that follow a heartbeat")
struct HeartLockTests {
  private static func moment(_ seconds: Double) -> Moment {
    Moment(nanoseconds: 0).advanced(by: Duration(seconds: seconds))
  }

  /// A beat a second, of which the strap tells so much later.
  private static func reading(_ number: Int, latency: Double) -> SensorEvent {
    .readings([
      HeartReading(
        heartRate: 60, rrIntervals: [1000], happened: moment(Double(number)), arrived: moment(Double(number) + latency))
    ])
  }

  private static func run(
    delay: Double, latency: Double, lead: Double, beats: Int = 30
  ) -> [HeartLockMachine.Output] {
    var machine = HeartLockMachine(OnsetLock(beat: .predicted, delay: Duration(seconds: delay)))
    machine.wait(lead: Duration(seconds: lead))
    return (1...beats).flatMap { number in
      machine.take(reading(number, latency: latency), at: moment(Double(number) + latency))
    }
  }

  @Test("are due at the delay after the next beat that is predicted, once")
  func predicted() throws {
    let outputs = Self.run(delay: 0.25, latency: 0.4, lead: 0.14)
    #expect(outputs.count == 1)
    guard case .ready(let due, let peak, let predictor) = outputs.first else {
      Issue.record("\(outputs)")
      return
    }
    #expect(peak.duration(to: due) == .milliseconds(250) && predictor != nil)
    let seconds = Self.moment(0).duration(to: peak).seconds
    #expect(abs(seconds - seconds.rounded()) < 0.001)
  }

  @Test("are refused where a strap's beats arrive later than the next one follows")
  func slowStrap() {
    #expect(
      Self.run(delay: 0.25, latency: 1.2, lead: 0.14).first
        == .refused(.beatsTooLate(latency: .milliseconds(1200), interval: .seconds(1))))
  }

  @Test("are refused where the delay is too short for what the speaker needs, after three beats")
  func tooShort() {
    let outputs = Self.run(delay: 0, latency: 0.95, lead: 0.14)
    guard case .refused(.tooShort(let delay, _, .predicted)) = outputs.first else {
      Issue.record("\(outputs)")
      return
    }
    #expect(delay == .zero)
  }

  @Test("do not fail for one value that arrives late, nor for an older one that comes with a newer")
  func oneLateValue() throws {
    var machine = HeartLockMachine(OnsetLock(beat: .predicted, delay: .milliseconds(250)))
    for number in 1...12 { _ = machine.take(Self.reading(number, latency: 0.3), at: Self.moment(Double(number) + 0.3)) }
    machine.wait(lead: .milliseconds(140))
    #expect(machine.take(Self.reading(13, latency: 1.2), at: Self.moment(14.2)).isEmpty)
    guard case .readings(let older) = Self.reading(14, latency: 1.3),
      case .readings(let newer) = Self.reading(15, latency: 0.3)
    else { return }
    let outputs = machine.take(.readings(older + newer), at: Self.moment(15.3))
    guard case .ready(_, let peak, _) = try #require(outputs.first) else {
      Issue.record("\(outputs)")
      return
    }
    #expect(abs(Self.moment(16).duration(to: peak).seconds) < 0.001)
  }

  @Test("follow the first beat of a later trial, since what an earlier one has learnt is kept")
  func later() throws {
    let memory = HeartLockMemory()
    func settings(_ delay: Int, _ sensor: String = "strap") -> HeartLock.Settings {
      .init(sensor: sensor, lock: OnsetLock(beat: .predicted, delay: .milliseconds(delay)))
    }
    var first = memory.machine(for: settings(250))
    for number in 1...12 { _ = first.take(Self.reading(number, latency: 0.3), at: Self.moment(Double(number) + 0.3)) }
    memory.keep(first, for: settings(250))
    var second = memory.machine(for: settings(400))
    second.wait(lead: .milliseconds(140))
    let output = second.take(Self.reading(13, latency: 0.3), at: Self.moment(13.3))
    guard case .ready(let due, let peak, _) = try #require(output.first) else {
      Issue.record("\(output)")
      return
    }
    #expect(peak.duration(to: due) == .milliseconds(400))
    var other = memory.machine(for: settings(250, "another"))
    other.wait(lead: .milliseconds(140))
    #expect(other.take(Self.reading(13, latency: 0.3), at: Self.moment(13.3)).isEmpty)
  }

  @Test("are refused for an electrocardiogram of too few samples")
  func tooFew() {
    var machine = HeartLockMachine(OnsetLock(delay: .milliseconds(250)))
    machine.wait(lead: .zero)
    let format = WaveformFormat(.electrocardiogram, rate: 50, channels: ["1"])
    let frames = WaveformFrames(format, happened: Self.moment(0), arrived: Self.moment(0.1), values: [0, 0, 0])
    #expect(
      machine.take(.waveform(frames), at: Self.moment(0.1)) == [.refused(.tooFewSamples(rate: 50, least: 100))])
  }
}

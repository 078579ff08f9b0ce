import Basics
import Glibc
import Quantities
import TestSupport
import Testing

@testable import Sound

@Suite("The light of a screen")
struct LightTests {
  private static let rate = 48_000

  /// How a photodiode shows a screen that becomes bright.
  enum Photodiode: String, CaseIterable, CustomTestStringConvertible {
    /// A steady voltage, as a measuring card has it.
    case steady
    /// Behind the capacitor of a microphone input: a pulse that decays within 10 ms.
    case decaying
    /// The other way round.
    case inverted
    /// A backlight that is switched 960 times a second.
    case flickering
    /// A screen that takes 8 ms to become bright.
    case slow
    /// In a room with lamps on the mains.
    case humming

    var testDescription: String { rawValue }

    /// How far the half of the light may be from the frame, in seconds.
    var rise: Double { self == .slow ? 0.008 : self == .flickering ? 1 / 960 : 0 }

    func sample(_ time: Double) -> Double {
      let light = time < 0 ? 0 : min(1, rise > 0 && self == .slow ? time / rise : 1)
      switch self {
      case .steady, .slow: return 0.4 * light
      case .decaying: return time < 0 ? 0 : 0.4 * exp(-time / 0.01)
      case .inverted: return time < 0 ? 0 : -0.4 * exp(-time / 0.01)
      case .flickering: return time < 0 || (time * 960).truncatingRemainder(dividingBy: 1) > 0.5 ? 0 : 0.4
      case .humming: return 0.4 * light + 0.02 * sin(2 * .pi * 100 * time)
      }
    }
  }

  /// What an input delivers around a light at a moment, in blocks of 480 frames, with noise.
  private static func heard(_ photodiode: Photodiode?, light: Moment, noise: Double = 0.001) -> HeardSound {
    let sound = HeardSound()
    var generator = SplitMix64(seed: 7)
    let start = light.advanced(by: .milliseconds(-400))
    for block in 0..<100 {
      let first = block * 480
      let samples = (first..<first + 480).map { frame in
        let time = Double(frame) / Double(rate) - 0.4
        return Float((photodiode?.sample(time) ?? 0) + noise * Double.random(in: -1...1, using: &generator))
      }
      let begun = start.advanced(by: .seconds(Double(first) / Double(rate)))
      sound.take(.block(CapturedBlock(frame: first, start: begun, samples: samples)), channels: 1)
    }
    return sound
  }

  private static let source = CaptureDescription(
    server: "test", source: "photodiode", isMonitor: false, rate: rate, channels: 1)

  private static func clicks(_ unexplained: Duration) -> LoopbackResult {
    let played = MeasuredMoment(moment: Moment(nanoseconds: 0), uncertainty: .microseconds(10))
    let trial = LoopbackTrial(played: played, heard: played.moment.advanced(by: unexplained))
    return LoopbackResult(source: source, trials: [trial, trial, trial])
  }

  @Test("is found where half of it is reached, whatever the photodiode is plugged into", arguments: Photodiode.allCases)
  func edge(photodiode: Photodiode) async throws {
    let light = Moment(nanoseconds: 5_000_000_000)
    // The frame is 30 ms before the light, and known to 3 ms.
    let painted = MeasuredMoment(moment: light.advanced(by: .milliseconds(-30)), uncertainty: .milliseconds(3))
    var check = LightCheck(of: Self.source, Self.heard(photodiode, light: light))
    let found = try #require(try await check.look(for: painted))
    let late = light.duration(to: found.seen).seconds
    #expect(late > -0.000_03 && late < photodiode.rise + 0.000_2, "\(late)")
  }

  @Test("what is no light is not taken for one", arguments: [0.0, 0.1])
  func dark(noise: Double) async throws {
    let light = Moment(nanoseconds: 5_000_000_000)
    let painted = MeasuredMoment(moment: light, uncertainty: .milliseconds(3))
    var check = LightCheck(of: Self.source, Self.heard(nil, light: light, noise: noise))
    for _ in 1...3 { #expect(try await check.look(for: painted) == nil) }
    #expect(throws: LightFailure.self) { try check.result(besides: Self.clicks(.zero), OutputLatency(.zero)) }
  }

  @Test("the delay is what the input has of the light, less what it takes of a click that has left the output")
  func delay() async throws {
    let light = Moment(nanoseconds: 5_000_000_000)
    let painted = MeasuredMoment(moment: light.advanced(by: .milliseconds(-30)), uncertainty: .milliseconds(3))
    var check = LightCheck(of: Self.source, Self.heard(.decaying, light: light))
    for _ in 1...3 { _ = try await check.look(for: painted) }
    let output = OutputLatency(.milliseconds(2), uncertainty: .milliseconds(1), basis: .measured)
    // Clicks take 7 ms, of which the output takes 2 ms: the input takes 5 ms, and the monitor the other 25 ms.
    let result = try check.result(besides: Self.clicks(.milliseconds(7)), output)
    #expect(abs(result.delay.milliseconds - 25) < 0.1)
    #expect(abs(result.uncertainty.milliseconds - 4.01) < 0.1)
    #expect(throws: LightFailure.self) { try check.result(besides: Self.clicks(.milliseconds(80)), output) }
  }
}

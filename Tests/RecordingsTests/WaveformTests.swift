import Basics
import Glibc
import Recordings
import TestSupport
import Testing

@testable import Recordings

/// One column of numbers: the samples of signals, and intervals of hearts.
@Suite("Signals and intervals in one column")
struct WaveformTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Random numbers that are the same in each run.
  struct Noise {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// Evenly distributed from 0 to 1.
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }

    /// Normally distributed.
    mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + next() } }

    /// A random walk with a restoring force: slow changes with an SD of about 1.
    mutating func slow(_ count: Int, over length: Double = 40) -> [Double] {
      var value = 0.0
      return (0..<count).map { _ in
        value += -value / length + normal() * (2 / length).squareRoot()
        return value
      }
    }
  }

  // MARK: Signals

  enum Signal: String, CaseIterable, CustomTestStringConvertible {
    case pulse, electrocardiogram, breathing, skinConductance, sine, muscle, brain, ballistocardiogram
    var testDescription: String { rawValue }
  }

  /// Waves of each beat: place in seconds, height, width.
  private static func waves(_ signal: Signal) -> [(place: Double, height: Double, width: Double)] {
    switch signal {
    case .pulse: [(0, 1, 0.09), (0.27, 0.45, 0.1)]
    case .electrocardiogram:
      [(-0.17, 0.1, 0.025), (-0.025, -0.1, 0.008), (0, 1, 0.011), (0.028, -0.2, 0.01), (0.29, 0.25, 0.055)]
    default: [(-0.05, -0.5, 0.02), (0, 1, 0.02), (0.06, -0.8, 0.025), (0.13, 0.4, 0.03)]
    }
  }

  /// A signal between about -1 and 1.
  private static func samples(_ signal: Signal, rate: Double, count: Int) -> [Double] {
    var noise = Noise(UInt64(count))
    let times = (0..<count).map { Double($0) / rate }
    switch signal {
    case .pulse, .electrocardiogram, .ballistocardiogram:
      var samples = [Double](repeating: 0, count: count)
      var beat = 0.4
      while beat < Double(count) / rate {
        for wave in waves(signal) {
          let (from, to) = (beat + wave.place - 5 * wave.width, beat + wave.place + 5 * wave.width)
          for index in max(0, Int(from * rate))..<max(max(0, Int(from * rate)), min(count, Int(to * rate))) {
            let distance = (Double(index) / rate - beat - wave.place) / wave.width
            samples[index] += wave.height * exp(-distance * distance / 2)
          }
        }
        beat += 0.85 + 0.03 * noise.normal()
      }
      return samples
    case .breathing: return times.map { sin(2 * .pi * $0 * 0.25 + 0.6 * sin($0 / 9)) }
    case .skinConductance:
      return times.map { time in
        (0..<40).reduce(0.2 * sin(time / 50)) { level, response in
          let since = time - Double(response) * 11
          return since > 0 ? level + 0.6 * (exp(-since / 4) - exp(-since / 0.8)) : level
        }
      }
    case .sine: return times.map { sin(2 * .pi * $0 * 1.2) }
    case .muscle:
      return times.map { time in
        let burst = max(0, sin(2 * .pi * time / 3))
        return noise.normal() * (0.01 + 0.3 * burst * burst)
      }
    case .brain:
      let slow = noise.slow(count, over: 12)
      return times.indices.map { 0.45 * slow[$0] + 0.1 * noise.normal() }
    }
  }

  private static func whole(_ made: Converted) -> [Double] {
    var noise = Noise(7)
    return samples(made.signal, rate: made.rate, count: made.count).map {
      (made.level + made.height * $0 + made.noise * noise.normal()).rounded()
    }
  }

  private func read(_ text: String, _ options: ReadingOptions) throws -> HeartRecording? {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max)).txt"]
    try File.create(path, Array(text.utf8))
    return try HeartRecording.read(path: path, options).first
  }

  /// The number of intervals that are read; `nil` for a file that is refused.
  private func count(_ text: String, _ options: ReadingOptions) throws -> Int? {
    do {
      return try read(text, options)?.beats?.count
    } catch is RecordingError {
      return nil
    }
  }

  private typealias Converted = (
    signal: Signal, rate: Double, count: Int, level: Double, height: Double, noise: Double
  )

  /// Signals as converters give them: samples a second, number, level, height and noise.
  private static let converted: [Converted] = [
    (.pulse, 100, 3000, 512, 200, 0), (.pulse, 100, 3000, 512, 200, 3), (.pulse, 1000, 6000, 2048, 200, 1),
    (.pulse, 1000, 10000, 512, 60, 1), (.pulse, 25, 1500, 700, 300, 1),
    (.electrocardiogram, 250, 6000, 512, 200, 0), (.electrocardiogram, 1000, 8000, 512, 300, 0),
    (.electrocardiogram, 1000, 6000, 2048, 300, 3),
    (.breathing, 25, 3000, 512, 150, 0), (.breathing, 200, 12000, 600, 200, 1), (.breathing, 500, 16000, 409, 60, 0.4),
    (.skinConductance, 4, 1200, 900, 300, 0), (.skinConductance, 100, 12000, 600, 100, 0.5),
    (.sine, 250, 6000, 2000, 400, 0), (.sine, 1000, 12000, 600, 100, 0), (.sine, 50, 3000, 512, 100, 3),
    (.muscle, 1000, 6000, 2048, 100, 2), (.muscle, 1000, 12000, 512, 200, 1),
    (.brain, 125, 6000, 480, 250, 0), (.ballistocardiogram, 1000, 6000, 1966, 100, 20),
  ]

  @Test("The samples of a signal are refused in any form and unit", arguments: converted.indices)
  func signals(index: Int) throws {
    let made = Self.converted[index]
    let samples = Self.whole(made)
    // The longer ones are only judged, since reading files takes long without optimisation.
    guard samples.count <= 3000 else {
      #expect(Waveform.problem(samples) != nil)
      return
    }
    let integers = samples.map { "\(Int($0))\n" }.joined()
    let decimals = samples.map { "\($0 / 1000)\n" }.joined()
    let forms: [(String, ReadingOptions)] = [
      (integers, ReadingOptions()), (integers, ReadingOptions(intervalUnit: .milliseconds)),
      ("rr\n" + integers, ReadingOptions()), ("rr_ms\n" + integers, ReadingOptions(intervalUnit: .milliseconds)),
      (decimals, ReadingOptions()), (decimals, ReadingOptions(intervalUnit: .seconds)),
      ("ibi_s\n" + decimals, ReadingOptions()),
    ]
    for (place, (text, options)) in forms.enumerated() {
      #expect(try count(text, options) == nil, "form \(place)")
    }
  }

  @Test("Rows that follow each other faster than their intervals are the samples of a signal")
  func faster() throws {
    let rows = (0..<500).map { "\(Double($0) / 100),\(700 + $0 * 7919 % 200)\n" }.joined()
    let error = try #require(throws: RecordingError.self) { try read("time,rr_ms\n" + rows, ReadingOptions()) }
    #expect("\(error)".contains("its rows are 0.01 s apart"), "\(error)")
  }

  @Test(
    "A comment with a sampling rate makes numbers samples, unless one names intervals",
    arguments: [
      ("# Sampling Rate (Hz):= 1000.00\n", false), ("#sampling_rate 250\n", false), ("# sample rate: 100 Hz\n", false),
      ("# RR intervals, sampling rate of the ECG 1000 Hz\n", true), ("# IBI\n# Sampling Rate: 500\n", true),
      ("# a comment\n", true),
    ])
  func comments(comment: String, isRead: Bool) throws {
    let rows = (0..<200).map { "\(800 + $0 * 37 % 90)\n" }.joined()
    for options in [ReadingOptions(), ReadingOptions(intervalUnit: .milliseconds)] {
      if isRead {
        #expect(try count(comment + rows, options) == 200)
      } else {
        #expect(try count(comment + rows, options) == nil)
      }
    }
  }

  // MARK: Intervals

  enum Heart: String, CaseIterable, CustomTestStringConvertible {
    case rest, athlete, newborn, fibrillation, ectopic, breathing, slowBreathing, ramp, intervalTraining, paced, long
    case workingHard
    var testDescription: String { rawValue }
  }

  private static func intervals(_ heart: Heart, seed: UInt64) -> [Double] {
    var noise = Noise(seed)
    func resting(_ count: Int, _ mean: Double, slow: Double, fast: Double) -> [Double] {
      let drift = noise.slow(count)
      return drift.map { mean + slow * $0 + fast * noise.normal() }
    }
    func breathing(_ count: Int, _ mean: Double, _ breaths: Double, _ height: Double) -> [Double] {
      let base = resting(count, mean, slow: 12, fast: 8)
      var phase = 0.0
      return base.map { interval in
        phase += breaths * interval / 60_000 * (1 + 0.05 * noise.normal())
        return interval + height * sin(2 * .pi * phase)
      }
    }
    switch heart {
    case .rest: return resting(400, 850, slow: 30, fast: 20)
    case .athlete: return resting(300, 1500, slow: 70, fast: 50)
    case .newborn: return resting(2000, 333, slow: 8, fast: 2.5)
    case .fibrillation: return (0..<600).map { _ in max(300, 650 + 140 * noise.normal()) }
    case .ectopic:
      var intervals = resting(600, 800, slow: 25, fast: 15)
      for place in stride(from: 7, to: 590, by: 13) {
        intervals[place] *= 0.6
        intervals[place + 1] *= 1.4
      }
      return intervals
    case .breathing: return breathing(500, 850, 6, 80)
    case .slowBreathing: return breathing(500, 700, 5, 60)
    case .ramp:
      return (0..<2400).map { beat in
        let way = 1 - (Double(beat) / 1200 - 1).magnitude
        return 850 - 500 * way + noise.normal() * (2 + 8 * (1 - way) * (1 - way))
      }
    case .intervalTraining:
      let drift = noise.slow(3000)
      return (0..<3000).map { beat in
        485 + 135 * sin(2 * .pi * Double(beat) / 300) + 5 * drift[beat] + 2.5 * noise.normal()
      }
    case .paced: return (0..<300).map { _ in 857 + (noise.next() < 0.3 ? 1 : 0) }
    case .long: return resting(6000, 780, slow: 90, fast: 12)
    case .workingHard: return resting(1500, 340, slow: 4, fast: 1.2)
    }
  }

  @Test(
    "Intervals of hearts are taken, in any form and rounded as devices do",
    arguments: Heart.allCases, [0, 1, 4, 1000.0 / 128, 10])
  func hearts(heart: Heart, step: Double) throws {
    for seed in [1, 2, 3] as [UInt64] {
      let made = Self.intervals(heart, seed: seed)
      let intervals = step == 0 ? made : made.map { max(1, ($0 / step).rounded()) * step }
      #expect(Waveform.problem(intervals) == nil, "seed \(seed)")
      guard step == 1, intervals.count <= 600 else { continue }
      let text = intervals.map { "\($0)\n" }.joined()
      let seconds = intervals.map { "\($0 / 1000)\n" }.joined()
      for (text, options) in [
        (text, ReadingOptions()), ("rr_ms\n" + text, ReadingOptions()),
        (seconds, ReadingOptions(intervalUnit: .seconds)),
      ] {
        #expect(try count(text, options) == intervals.count, "seed \(seed)")
      }
    }
  }

  @Test("Smooth intervals are taken where their times show that they are intervals")
  func timed() throws {
    var time = 0.0
    let rows = (0..<600).map { beat -> String in
      let interval = (700 + 100 * sin(Double(beat) / 10)).rounded()
      time += interval / 1000
      return "\(time),\(interval)\n"
    }
    let text = "time,rr_ms\n" + rows.joined()
    #expect(try count(text, ReadingOptions()) == 600)
    let alone = "rr_ms\n" + rows.map { $0.drop { $0 != "," }.dropFirst() }.joined()
    #expect(try count(alone, ReadingOptions(intervalUnit: .milliseconds)) == nil)
  }
}

import Analysis
import Basics
import Quantities
import Recordings

/// `benchmark analyse`: corrects the artefacts of beats and measures them; says what each part takes.
struct AnalysingBeats {
  private let beats: Int
  private let clock = MonotonicClock()

  init(_ words: ArraySlice<String>) throws {
    guard words.count == 2, words.first == "--beats", let number = words.last.flatMap({ Int($0) }), number > 0 else {
      throw WrongUsage()
    }
    beats = number
  }

  func run() {
    let series = IntervalSeries(intervals())
    var figures: [String] = []
    func time<Result>(_ name: String, _ work: () -> Result) -> Result {
      let start = clock.now
      let result = work()
      figures.append("\(name) \(start.duration(to: clock.now).milliseconds) ms")
      return result
    }
    let corrected = time("artefacts") { LipponenTarvainen().correct(series) }
    let analysis = HeartAnalysis(corrected)
    for (name, measures) in [
      ("statistics", Measure.allCases.filter { $0.domain == .heartRate || $0.domain == .time }),
      ("entropy", [.sampleEntropy]), ("fluctuation", [.dfaAlpha1, .dfaAlpha2]), ("spectrum", [.vlf, .lf, .hf]),
    ] {
      _ = time(name) { analysis.measurements(measures) }
    }
    let all = time("all measures") { analysis.measurements() }
    let lomb = HeartAnalysis(corrected, preset: .lombScargle)
    _ = time("Lomb-Scargle") { lomb.measurements([.vlf, .lf, .hf]) }
    let missing = all.count { $0.value == nil }
    figures.insert("\(beats) beats, \(corrected.artefacts.count) artefacts, \(missing) measures missing", at: 0)
    print(figures.joined(separator: "\n"))
  }

  /// Beats of a day and a night: breathing, slower waves, noise, and every thousandth beat lost or doubled.
  private func intervals() -> [Double] {
    var random = SplitMix64(seed: 1)
    var (time, drift) = (0.0, 0.0)
    var intervals: [Double] = []
    intervals.reserveCapacity(beats)
    while intervals.count < beats {
      drift = 0.99 * drift + 6 * random.normal()
      let phase = time * 2 * .pi
      let interval =
        850 + 120 * triangle(phase / 86_400) + drift + 35 * triangle(phase * 0.25) + 25 * triangle(phase * 0.1)
        + 10 * random.normal()
      time += interval / 1000
      // In the steps of a Bluetooth sensor.
      let stepped = (interval * 1.024).rounded() / 1.024
      switch random.next() % 2000 {
      case 0: intervals.append(2 * stepped)
      case 1: intervals += [stepped / 2, stepped / 2]
      default: intervals.append(stepped)
      }
    }
    return intervals
  }

  private func triangle(_ angle: Double) -> Double {
    let place = angle / (2 * .pi)
    return 4 * abs(place - place.rounded(.down) - 0.5) - 1
  }
}

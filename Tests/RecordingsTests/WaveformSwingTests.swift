import Glibc
import Testing

@testable import Recordings

/// Signals with few samples a second, and hearts that change as widely.
@Suite("Wide swings of signals and of hearts")
struct WaveformSwingTests {
  private typealias Noise = WaveformTests.Noise

  /// A pulse wave of 70 beats a minute: a steep rise, and a second wave.
  private func pulse(_ rate: Double, _ level: Double, _ height: Double) -> [Double] {
    var noise = Noise(5)
    var phase = 0.0
    return (0..<Int(rate * 120)).map { _ in
      phase += 1.17 / rate * (1 + 0.03 * noise.normal())
      let (first, second) = (exp(-pow((phase.truncatingRemainder(dividingBy: 1) - 0.3) / 0.1, 2) / 2), 0.45)
      let place = phase.truncatingRemainder(dividingBy: 1)
      return (level + height * (first + second * exp(-pow((place - 0.6) / 0.11, 2) / 2)) + noise.normal()).rounded()
    }
  }

  @Test(
    "Pulse waves of wristbands are refused", arguments: [16.0, 20, 25, 32], [(512.0, 200.0), (512, 300), (512, 400)])
  func wristbands(rate: Double, form: (level: Double, height: Double)) {
    #expect(Waveform.problem(pulse(rate, form.level, form.height)) != nil)
  }

  @Test("Square waves and breathing with noise are refused", arguments: [10.0, 25], [1.0, 5])
  func others(rate: Double, spread: Double) {
    var noise = Noise(3)
    let times = (0..<Int(rate * 120)).map { Double($0) / rate }
    let square = times.map { (600 + (sin(2 * .pi * 1.2 * $0) > 0 ? 200 : -200) + spread * noise.normal()).rounded() }
    #expect(Waveform.problem(square) != nil)
    let breathing = times.map { (512 + 150 * sin(2 * .pi * 0.25 * $0) + spread * noise.normal()).rounded() }
    if rate == 10 { #expect(Waveform.problem(breathing) != nil) }
  }

  /// Intervals with breathing, slower waves, a drift, and a course of their own.
  private func intervals(
    _ count: Int, _ mean: Double, breath: (perMinute: Double, height: Double), drift: Double, noise spread: Double,
    seed: UInt64, _ course: (Double) -> Double = { _ in 0 }
  ) -> [Double] {
    var noise = Noise(seed)
    let slow = noise.slow(count, over: 200)
    var (time, phase, slowPhase) = (0.0, 0.0, 0.0)
    return (0..<count).map { beat in
      let waves = breath.height * sin(2 * .pi * phase) + 0.5 * spread * sin(2 * .pi * slowPhase)
      let interval = mean + waves + drift * slow[beat] + spread * noise.normal() + course(time)
      time += interval / 1000
      phase += breath.perMinute / 60_000 * interval * (1 + 0.1 * noise.normal())
      slowPhase += 0.1 / 1000 * interval * (1 + 0.2 * noise.normal())
      return interval.rounded()
    }
  }

  @Test("Hearts that change widely are taken", arguments: 1...8 as ClosedRange<UInt64>)
  func hearts(seed: UInt64) {
    let number = Double(seed)
    let sets: [(String, [Double])] = [
      (
        "deep breathing",
        intervals(500, 800 + 20 * number, breath: (6, 40 + 15 * number), drift: 15, noise: 6, seed: seed)
      ),
      ("a child", intervals(500, 600 + 8 * number, breath: (20, 70), drift: 20, noise: 10, seed: seed)),
      (
        "4.5 breaths",
        intervals(500, 750 + 20 * number, breath: (4.5, 40 + 10 * number), drift: 15, noise: 6, seed: seed)
      ),
      (
        "apnoea",
        intervals(3000, 900, breath: (14, 12), drift: 25, noise: 10, seed: seed) { time in
          let place = (time / (35 + 2 * number)).truncatingRemainder(dividingBy: 1)
          return place < 0.7 ? 170 * place : 120 - 260 * sin(.pi * (place - 0.7) / 0.3)
        }
      ),
      (
        "interval training",
        intervals(1500, 480, breath: (28, 6), drift: 12, noise: 3, seed: seed) { time in
          let place = (time / (90 + 20 * number)).truncatingRemainder(dividingBy: 1)
          return place < 0.5 ? -110 * (1 - exp(-12 * place)) : -110 * exp(-6 * (place - 0.5))
        }
      ),
      ("a night at 32 a minute", intervals(3000, 1875, breath: (12, 60), drift: 60, noise: 40, seed: seed)),
    ]
    for (name, numbers) in sets { #expect(Waveform.problem(numbers) == nil, "\(name)") }
  }
}

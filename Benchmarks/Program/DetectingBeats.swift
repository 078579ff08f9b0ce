import Basics
import Signals

/// `benchmark detect FILE RATE ROUNDS`: R peaks in a signal of 64-bit floating-point numbers in this computer's byte order.
struct DetectingBeats {
  private let signal: [Double]
  private let rate: Double
  private let rounds: Int

  init(_ words: [String]) throws {
    guard words.count == 3, let rate = Double(words[1]), rate >= 50, let rounds = Int(words[2]), rounds > 0 else {
      throw WrongUsage()
    }
    let bytes = try File.contents(of: words[0])
    signal = unsafe bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { offset in
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Double.self)
      }
    }
    (self.rate, self.rounds) = (rate, rounds)
  }

  /// Prints the milliseconds of each round, and how many peaks it found.
  func run() {
    let clock = ContinuousClock()
    for _ in 0..<rounds {
      var count = 0
      let time = clock.measure {
        var detector = RPeakDetector(rate: rate)
        for sample in signal { count += detector.take(sample).count }
        count += detector.finish().count
      }
      print(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1000, count)
    }
  }
}

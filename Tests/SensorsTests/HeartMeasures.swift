import Glibc

/// The measures of the Task Force (1996) that the simulated heart is judged by.
enum HeartMeasures {
  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func sdnn(_ intervals: [Double]) -> Double {
    let mean = mean(intervals)
    return (intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(intervals.count - 1)).squareRoot()
  }

  static func rmssd(_ intervals: [Double]) -> Double {
    let squares = zip(intervals, intervals.dropFirst()).map { ($1 - $0) * ($1 - $0) }
    return mean(squares).squareRoot()
  }

  /// The frequency in hertz at which a Lomb periodogram of the intervals over their beats is largest within a band.
  static func peak(_ intervals: [Double], in band: ClosedRange<Double>) -> Double {
    let mean = mean(intervals)
    var times: [Double] = []
    var time = 0.0
    for interval in intervals {
      time += interval / 1000
      times.append(time)
    }
    var best = (frequency: 0.0, power: 0.0)
    for frequency in stride(from: band.lowerBound, through: band.upperBound, by: 0.002) {
      let omega = 2 * Double.pi * frequency
      var (c, s, cc, ss) = (0.0, 0.0, 0.0, 0.0)
      for (time, interval) in zip(times, intervals) {
        c += (interval - mean) * cos(omega * time)
        s += (interval - mean) * sin(omega * time)
        cc += cos(omega * time) * cos(omega * time)
        ss += sin(omega * time) * sin(omega * time)
      }
      let power = c * c / cc + s * s / ss
      if power > best.power { best = (frequency, power) }
    }
    return best.frequency
  }
}

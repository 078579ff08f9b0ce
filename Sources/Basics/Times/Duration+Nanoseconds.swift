extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero; saturates at 292 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isSumBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isBeyond || isSumBeyond ? (seconds < 0 ? .min : .max) : sum
  }

  package var seconds: Double { Double(nanoseconds) / 1e9 }

  package var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// Creates a duration from seconds, rounded to nanoseconds; saturates at 292 years.
  package init(seconds: Double) { self.init(nearestNanoseconds: seconds * 1e9) }

  /// Creates a duration from milliseconds, rounded to nanoseconds; saturates at 292 years.
  package init(milliseconds: Double) { self.init(nearestNanoseconds: milliseconds * 1e6) }

  /// Creates a duration from nanoseconds, rounded to whole ones; saturates at 292 years.
  ///
  /// NaN becomes zero.
  package init(nearestNanoseconds number: Double) {
    let bound = 0x1p63
    guard number.magnitude < bound else {
      self = .nanoseconds(number.isNaN ? 0 : number < 0 ? Int64.min : .max)
      return
    }
    self = .nanoseconds(Int64(number.rounded()))
  }
}

extension Duration {
  /// The time in whole seconds as clocks show it: `0:07`, `12:34`, `1:02:03`.
  package func clockText(rounding rule: FloatingPointRoundingRule = .down) -> String {
    let whole = max(0, Int(seconds.rounded(rule)))
    let (minutes, rest) = (whole / 60, (whole % 60).twoDigits)
    return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\((minutes % 60).twoDigits):\(rest)"
  }
}

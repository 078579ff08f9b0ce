extension Duration {
  /// The whole nanoseconds in it, rounded towards zero; beyond 292 years it is held there.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isSumBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isBeyond || isSumBeyond ? (seconds < 0 ? .min : .max) : sum
  }

  /// Its length in seconds.
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Its length in milliseconds.
  package var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// The duration nearest to that many seconds, in whole nanoseconds; beyond 292 years it is held there.
  package init(seconds: Double) { self.init(nearestNanoseconds: seconds * 1e9) }

  /// The duration nearest to that many milliseconds, in whole nanoseconds; beyond 292 years it is held there.
  package init(milliseconds: Double) { self.init(nearestNanoseconds: milliseconds * 1e6) }

  /// The duration nearest to that many nanoseconds, in whole ones; beyond 292 years it is held there.
  ///
  /// What is not a number is no time at all.
  package init(nearestNanoseconds number: Double) {
    let bound = 0x1p63
    guard number.magnitude < bound else {
      self = .nanoseconds(number.isNaN ? 0 : number < 0 ? Int64.min : .max)
      return
    }
    self = .nanoseconds(Int64(number.rounded()))
  }
}

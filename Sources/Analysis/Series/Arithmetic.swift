import Glibc

func sine(_ angle: Double) -> Double { Glibc.sin(angle) }
func cosine(_ angle: Double) -> Double { Glibc.cos(angle) }
func arctangent(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
func logarithm(_ number: Double) -> Double { Glibc.log(number) }

/// The arithmetic mean; `nil` of an empty collection.
func mean(_ numbers: some Collection<Double>) -> Double? {
  numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
}

/// The standard deviation with `count - lostDegrees` in the denominator; `nil` if that is not above zero.
func standardDeviation(_ numbers: some Collection<Double>, lostDegrees: Int) -> Double? {
  guard let mean = mean(numbers), numbers.count > lostDegrees else { return nil }
  let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return (squares / Double(numbers.count - lostDegrees)).squareRoot()
}

/// The slope of the least-squares line through points.
func slope(_ x: [Double], _ y: [Double]) -> Double? {
  guard let meanX = mean(x), let meanY = mean(y), x.count == y.count else { return nil }
  let products = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
  let squares = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
  return squares > 0 ? products / squares : nil
}

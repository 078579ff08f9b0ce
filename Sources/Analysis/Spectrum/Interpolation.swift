/// The interpolation of a series of intervals to a signal with a constant sampling rate.
enum Interpolation: String, Hashable, Sendable {
  case linear

  /// The quadratic spline with its knots half-way between the points (de Boor; SciPy's `kind="quadratic"`).
  case quadratic

  /// The cubic spline whose second derivative is zero at both ends.
  case naturalCubic = "natural cubic spline"

  /// The cubic spline whose third derivative is continuous at the second and the second-last point (SciPy's
  /// `kind="cubic"`).
  case notAKnotCubic = "not-a-knot cubic spline"

  /// The minimum number of points.
  var leastPoints: Int {
    switch self {
    case .linear, .naturalCubic: 2
    case .quadratic: 3
    case .notAKnotCubic: 4
    }
  }

  /// The values at ascending places between the first and the last point.
  ///
  /// - Precondition: the points ascend, and there are at least `leastPoints`.
  func values(at places: [Double], x: [Double], y: [Double]) -> [Double] {
    precondition(x.count == y.count && x.count >= leastPoints, "\(rawValue) needs \(leastPoints) points")
    switch self {
    case .linear: return piecewise(at: places, x: x) { y[$0] + (y[$0 + 1] - y[$0]) / (x[$0 + 1] - x[$0]) * $1 }
    case .quadratic: return QuadraticSpline(x: x, y: y).values(at: places)
    case .naturalCubic: return cubic(at: places, x: x, y: y, curvatures: naturalCurvatures(x: x, y: y))
    case .notAKnotCubic: return cubic(at: places, x: x, y: y, curvatures: notAKnotCurvatures(x: x, y: y))
    }
  }
}

/// Evaluates a function at every place, given the index of its piece and the distance from that piece's beginning.
private func piecewise(at places: [Double], x: [Double], _ value: (Int, Double) -> Double) -> [Double] {
  var piece = 0
  return places.map { place in
    while piece < x.count - 2, x[piece + 1] <= place { piece += 1 }
    return value(piece, place - x[piece])
  }
}

private func cubic(at places: [Double], x: [Double], y: [Double], curvatures: [Double]) -> [Double] {
  piecewise(at: places, x: x) { index, distance in
    let width = x[index + 1] - x[index]
    let (left, right) = (curvatures[index], curvatures[index + 1])
    let slope = (y[index + 1] - y[index]) / width - width * (2 * left + right) / 6
    return y[index] + distance * (slope + distance * (left / 2 + distance * (right - left) / (6 * width)))
  }
}

/// The equations for a cubic spline's second derivatives at the inner points: a tridiagonal system.
private func cubicSystem(x: [Double], y: [Double]) -> TridiagonalSystem {
  var system = TridiagonalSystem()
  for index in 1..<max(1, x.count - 1) {
    let (before, after) = (x[index] - x[index - 1], x[index + 1] - x[index])
    let bend = (y[index + 1] - y[index]) / after - (y[index] - y[index - 1]) / before
    system.append(below: before, diagonal: 2 * (before + after), above: after, right: 6 * bend)
  }
  return system
}

private func naturalCurvatures(x: [Double], y: [Double]) -> [Double] {
  [0] + cubicSystem(x: x, y: y).solution + [0]
}

private func notAKnotCurvatures(x: [Double], y: [Double]) -> [Double] {
  var system = cubicSystem(x: x, y: y)
  let last = x.count - 1
  // The curvature at either end is extrapolated linearly from its two neighbours, and eliminated from their equations.
  let (first, second) = (x[1] - x[0], x[2] - x[1])
  system.diagonal[0] += first * (first + second) / second
  system.above[0] -= first * first / second
  let (final, former) = (x[last] - x[last - 1], x[last - 1] - x[last - 2])
  system.diagonal[last - 2] += final * (final + former) / former
  system.below[last - 2] -= final * final / former
  let inner = system.solution
  let count = inner.count
  let head = inner[0] + (inner[0] - inner[1]) * first / second
  let tail = inner[count - 1] + (inner[count - 1] - inner[count - 2]) * final / former
  return [head] + inner + [tail]
}

/// A tridiagonal system of linear equations.
struct TridiagonalSystem {
  var below: [Double] = []
  var diagonal: [Double] = []
  var above: [Double] = []
  var right: [Double] = []

  mutating func append(below: Double, diagonal: Double, above: Double, right: Double) {
    self.below.append(below)
    self.diagonal.append(diagonal)
    self.above.append(above)
    self.right.append(right)
  }

  /// The solution by elimination without pivoting (Thomas); the systems of splines need none.
  var solution: [Double] {
    guard !diagonal.isEmpty else { return [] }
    var (ratios, values) = (above, right)
    var pivot = diagonal[0]
    for row in diagonal.indices {
      if row > 0 { pivot = diagonal[row] - below[row] * ratios[row - 1] }
      ratios[row] = above[row] / pivot
      values[row] = (right[row] - (row > 0 ? below[row] * values[row - 1] : 0)) / pivot
    }
    for row in diagonal.indices.dropLast().reversed() { values[row] -= ratios[row] * values[row + 1] }
    return values
  }
}

/// The quadratic interpolating spline, as a sum of B-splines (de Boor, "A practical guide to splines", 1978).
///
/// Its knots lie half-way between the points, except in the first and the last interval, which have none, as in SciPy's
/// `make_interp_spline` with degree 2.
struct QuadraticSpline {
  private let knots: [Double]
  private let coefficients: [Double]

  /// Creates the spline through ascending points, at least three.
  init(x: [Double], y: [Double]) {
    let last = x.count - 1
    var knots = [x[0], x[0], x[0]]
    for index in 1..<max(1, last - 1) { knots.append((x[index] + x[index + 1]) / 2) }
    knots += [x[last], x[last], x[last]]
    self.knots = knots

    // At point i only the B-splines i - 1, i and i + 1 are non-zero, and at either end only one is.
    var system = TridiagonalSystem()
    system.append(below: 0, diagonal: 1, above: 0, right: y[0])
    for index in 1..<last {
      let basis = Self.basis(at: x[index], span: index + 1, knots: knots)
      system.append(below: basis.0, diagonal: basis.1, above: basis.2, right: y[index])
    }
    system.append(below: 0, diagonal: 1, above: 0, right: y[last])
    coefficients = system.solution
  }

  /// The values at ascending places between the first and the last point.
  func values(at places: [Double]) -> [Double] {
    var span = 2
    let lastSpan = coefficients.count - 1
    return places.map { place in
      while span < lastSpan, knots[span + 1] <= place { span += 1 }
      let basis = Self.basis(at: place, span: span, knots: knots)
      return basis.0 * coefficients[span - 2] + basis.1 * coefficients[span - 1] + basis.2 * coefficients[span]
    }
  }

  /// The three B-splines that are non-zero between knot `span` and the next.
  private static func basis(at place: Double, span: Int, knots: [Double]) -> (Double, Double, Double) {
    let (low, high) = (knots[span], knots[span + 1])
    let right = (place - low) / (high - low)
    let left = (high - place) / (high - low)
    let wideLeft = (high - place) / (high - knots[span - 1])
    let wideRight = (place - low) / (knots[span + 2] - low)
    return (
      left * wideLeft,
      left * (1 - wideLeft) + right * (1 - wideRight),
      right * wideRight
    )
  }
}

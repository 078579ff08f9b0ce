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

import Glibc

/// Mark shapes, by which series are distinguishable without colour.
enum Mark: Int, CaseIterable, Sendable {
  case circle, square, triangle, diamond, cross

  static func of(series: Int) -> Mark { allCases[series % allCases.count] }

  /// The maximum extent of a shape from its centre, as a multiple of its radius.
  static let reach = 1.35

  /// Adds the shape to a path; all shapes have about the same area.
  func add(to path: inout Path, at centre: Point, radius: Double) {
    switch self {
    case .circle:
      path.move(centre.x + radius, centre.y)
      path.commands.append(.arc(center: centre, radius: radius, from: 0, to: 2 * .pi))
      path.close()
    case .square: add(corners: [45, 135, 225, 315], 1.25 * radius, to: &path, at: centre)
    case .triangle: add(corners: [30, 150, 270], 1.35 * radius, to: &path, at: centre)
    case .diamond: add(corners: [0, 90, 180, 270], 1.35 * radius, to: &path, at: centre)
    case .cross:
      let (arm, half) = (1.15 * radius, 0.4 * radius)
      let outline = [
        (half, arm), (half, half), (arm, half), (arm, -half), (half, -half), (half, -arm), (-half, -arm),
        (-half, -half),
        (-arm, -half), (-arm, half), (-half, half), (-half, arm),
      ]
      for (index, corner) in outline.enumerated() {
        let place = Point(x: centre.x + corner.0, y: centre.y + corner.1)
        path.commands.append(index == 0 ? .move(place) : .line(place))
      }
      path.close()
    }
  }

  private func add(corners degrees: [Double], _ radius: Double, to path: inout Path, at centre: Point) {
    for (index, degree) in degrees.enumerated() {
      let angle = degree * .pi / 180
      let corner = Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
      path.commands.append(index == 0 ? .move(corner) : .line(corner))
    }
    path.close()
  }
}

/// Dash patterns, by which lines are distinguishable without colour.
enum Dashes {
  static func of(series: Int) -> [Double] { patterns[series % patterns.count] }

  private static let patterns: [[Double]] = [[], [7, 4], [1.5, 3.5], [9, 3.5, 1.5, 3.5], [4, 3], [12, 4]]
}

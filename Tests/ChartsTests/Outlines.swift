import Foundation

@testable import Charts

/// The outlines of shapes as points, once from a drawing and once from what its SVG says to a reader of the standard.
enum Outlines {
  typealias Outline = [CGPoint]

  /// The outlines of all shapes of a drawing, one after the other; arcs lie around their centres.
  static func of(_ elements: [Element], where isWanted: (Ink?, Stroke?) -> Bool = { _, _ in true }) -> [Outline] {
    elements.flatMap { element -> [Outline] in
      switch element {
      case .text: []
      case .clipped(_, let inner): of(inner, where: isWanted)
      case .shape(let path, let fill, let stroke): path.commands.isEmpty || !isWanted(fill, stroke) ? [] : [of(path)]
      }
    }
  }

  static func of(_ path: Path) -> Outline {
    path.commands.flatMap { command -> Outline in
      switch command {
      case .move(let point), .line(let point): [CGPoint(x: point.x, y: point.y)]
      case .arc(let centre, let radius, let from, let to):
        (0...64).map { step in
          let angle = from + (to - from) * Double(step) / 64
          return CGPoint(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        }
      case .close: []
      }
    }
  }

  /// The outlines of an SVG's paths: those commands that the writer uses, read as SVG 1.1 defines them.
  static func of(svg: String) -> [Outline] {
    svg.matches(of: #/<path[^>]* d="([^"]*)"/#).map { outline(String($0.output.1)) }
  }

  private static func outline(_ data: String) -> Outline {
    var outline: Outline = []
    var (current, start) = (CGPoint.zero, CGPoint.zero)
    for match in data.matches(of: #/([MLAZh])([^MLAZh]*)/#) {
      let numbers = match.output.2.matches(of: #/-?[0-9]*\.?[0-9]+/#).compactMap { Double($0.output) }
      switch match.output.1 {
      case "M":
        current = CGPoint(x: numbers[0], y: numbers[1])
        start = current
        outline.append(current)
      case "L":
        current = CGPoint(x: numbers[0], y: numbers[1])
        outline.append(current)
      case "A":
        let end = CGPoint(x: numbers[5], y: numbers[6])
        outline += arc(from: current, to: end, radius: numbers[0])
        current = end
      case "Z": current = start
      default: outline.append(current)
      }
    }
    return outline
  }

  /// The small arc of a circle in the direction of growing angles (SVG 1.1, F.6.5), whose radius grows where it does not
  /// reach (F.6.6).
  private static func arc(from start: CGPoint, to end: CGPoint, radius: Double) -> Outline {
    let half = CGPoint(x: (start.x - end.x) / 2, y: (start.y - end.y) / 2)
    let length = hypot(half.x, half.y)
    guard length > 0 else { return [start] }
    let radius = max(radius, length)
    let factor = (max(0, radius * radius - length * length)).squareRoot() / length
    let centre = CGPoint(x: (start.x + end.x) / 2 + factor * half.y, y: (start.y + end.y) / 2 - factor * half.x)
    let from = atan2(start.y - centre.y, start.x - centre.x)
    var to = atan2(end.y - centre.y, end.x - centre.x)
    if to < from { to += 2 * .pi }
    return (0...32).map { step in
      let angle = from + (to - from) * Double(step) / 32
      return CGPoint(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
    }
  }
}

extension [CGPoint] {
  /// The least rectangle around them.
  var bounds: CGRect {
    guard let first else { return .null }
    return reduce(CGRect(origin: first, size: .zero)) { $0.union(CGRect(origin: $1, size: .zero)) }
  }
}

import Basics
import Glibc

/// Prints a drawing in braille characters, whose cells are two dots wide and four high.
struct BrailleCanvas {
  private let columns: Int
  private let rows: Int
  private var dots: [UInt8]
  private var words: [[Character?]]

  static func print(_ figure: Figure, columns: Int, rows: Int) -> String {
    // One point of this layout is one dot.
    let size = CanvasSize(columns: columns, rows: rows)
    let drawing = figure.drawing(size: size, style: .cells, ruler: CellRuler())
    var canvas = BrailleCanvas(columns: columns, rows: rows)
    for element in drawing.elements { canvas.draw(element, within: nil) }
    return canvas.text()
  }

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    dots = Array(repeating: 0, count: columns * rows)
    words = Array(repeating: Array(repeating: nil, count: columns), count: rows)
  }

  private mutating func draw(_ element: Element, within clip: Rect?) {
    switch element {
    case .clipped(let rect, let elements): for element in elements { draw(element, within: rect) }
    case .text(let label): write(label)
    case .shape(let path, let fill, let stroke):
      // Grid lines of dots would obscure the data.
      if stroke?.ink == .grid { return }
      let lines = Self.lines(of: path)
      if let fill { self.fill(lines, pattern: Pattern(fill), within: clip) }
      if let stroke { for line in lines { self.stroke(line, dash: stroke.dash, within: clip) } }
    }
  }

  private mutating func write(_ label: Label) {
    let row = Int((label.box.y / 4).rounded())
    var column = Int((label.box.x / 2).rounded())
    guard words.indices.contains(row) else { return }
    for character in label.text {
      let cells = character.displayWidth
      guard column >= 0, column + cells <= columns, cells > 0 else { continue }
      words[row][column] = character
      // The second cell of a wide character is a placeholder.
      if cells == 2 { words[row][column + 1] = "\0" }
      column += cells
    }
  }

  func text() -> String {
    var text = ""
    for row in 0..<rows {
      var line = ""
      for column in 0..<columns {
        if let character = words[row][column] {
          if character != "\0" { line.append(character) }
        } else {
          let pattern = UInt32(dots[row * columns + column])
          line.unicodeScalars.append(pattern == 0 ? " " : Unicode.Scalar(0x2800 + pattern) ?? " ")
        }
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  // MARK: Dots

  private mutating func set(_ x: Int, _ y: Int, within clip: Rect?) {
    guard x >= 0, y >= 0, x < columns * 2, y < rows * 4 else { return }
    if let clip, !clip.contains(Point(x: Double(x), y: Double(y))) { return }
    // Unicode numbers the dots of a cell 1, 2, 3, 7 from the top on the left and 4, 5, 6, 8 on the right.
    let bits: [UInt8] = [1, 8, 2, 16, 4, 32, 64, 128]
    dots[y / 4 * columns + x / 2] |= bits[y % 4 * 2 + x % 2]
  }

  mutating func stroke(_ line: [Point], dash: [Double], within clip: Rect?) {
    var walked = 0
    // Dots are coarse: a dash has at least two.
    let pattern = dash.map { max(2, Int(($0 / 2).rounded())) }
    for (from, to) in zip(line, line.count == 1 ? line[...] : line.dropFirst()) {
      guard let (from, to) = Self.near(from, to, columns: columns, rows: rows) else { continue }
      // No step is longer than a dot, so that no column is skipped.
      let steps = max(1, Int(max((to.x - from.x).magnitude, (to.y - from.y).magnitude).rounded(.up)))
      for step in 0...steps {
        let part = Double(step) / Double(steps)
        let (x, y) = (from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part)
        // The tolerance keeps rounding errors from moving a point to the adjacent dot.
        if pattern.isSeen(at: walked) {
          set(Int((x + 1e-6).rounded(.down)), Int((y + 1e-6).rounded(.down)), within: clip)
        }
        if step > 0 { walked += 1 }
      }
    }
  }

  /// The part of a line on or near the canvas; `nil` if there is none.
  private static func near(_ from: Point, _ to: Point, columns: Int, rows: Int) -> (Point, Point)? {
    let (width, height) = (Double(columns * 2), Double(rows * 4))
    var (first, last) = (0.0, 1.0)
    for (start, end, limit) in [(from.x, to.x, width), (from.y, to.y, height)] {
      let length = end - start
      if length == 0 {
        if start < -1 || start > limit + 1 { return nil }
        continue
      }
      let (one, other) = ((-1 - start) / length, (limit + 1 - start) / length)
      first = max(first, min(one, other))
      last = min(last, max(one, other))
    }
    guard first <= last else { return nil }
    func place(_ part: Double) -> Point {
      Point(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
    }
    return (place(first), place(last))
  }

  /// Fills by the even-odd rule, with a density that distinguishes an area from a line.
  private mutating func fill(_ lines: [[Point]], pattern: Pattern, within clip: Rect?) {
    for y in 0..<(rows * 4) {
      let middle = Double(y) + 0.5
      var crossings: [Double] = []
      for line in lines {
        for (from, to) in zip(line, line.dropFirst() + line.prefix(1)) where (from.y <= middle) != (to.y <= middle) {
          crossings.append(from.x + (to.x - from.x) * (middle - from.y) / (to.y - from.y))
        }
      }
      crossings.sort()
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        let first = max(0, Int((crossings[pair] - 0.5).rounded(.up)))
        let last = min(columns * 2 - 1, Int((crossings[pair + 1] - 0.5).rounded(.down)))
        guard first <= last else { continue }
        for x in first...last where pattern.hasDot(x, y) { set(x, y, within: clip) }
      }
    }
  }

  /// The fill pattern of an area, by its meaning.
  private struct Pattern {
    let ink: Ink

    init(_ ink: Ink) { self.ink = ink }

    func hasDot(_ x: Int, _ y: Int) -> Bool {
      switch ink {
      case .ground: false
      case .span: x % 4 == 0 && y % 4 == 0
      case .surface: x % 2 == 0 && y % 2 == 0
      case .series(let index):
        switch index % 5 {
        case 0: true
        case 1: (x + y) % 2 == 0
        case 2: y % 2 == 0
        case 3: x % 2 == 0 && y % 2 == 0
        default: (x + y) % 3 == 0
        }
      default: true
      }
    }
  }

  private static func lines(of path: Path) -> [[Point]] {
    var lines: [[Point]] = []
    for command in path.commands {
      switch command {
      case .move(let point): lines.append([point])
      case .line(let point): if !lines.isEmpty { lines[lines.count - 1].append(point) }
      case .arc(let centre, let radius, let from, let to):
        let steps = max(4, Int(radius * (to - from)))
        let arc = (0...steps).map { step -> Point in
          let angle = from + (to - from) * Double(step) / Double(steps)
          return Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        }
        if lines.isEmpty { lines.append(arc) } else { lines[lines.count - 1] += arc }
      case .close:
        if let first = lines.last?.first { lines[lines.count - 1].append(first) }
      }
    }
    return lines
  }
}

extension [Int] {
  /// Whether a dashed line is visible at a distance in dots from its start.
  fileprivate func isSeen(at place: Int) -> Bool {
    guard let whole = isEmpty ? nil : reduce(0, +) else { return true }
    var rest = place % whole
    for (index, length) in enumerated() {
      if rest < length { return index % 2 == 0 }
      rest -= length
    }
    return true
  }
}

/// A wave in braille characters, without axes, for a screen that is drawn again and again.
package enum WaveLine: Sendable {
  /// Draws values at even distances, from the lowest at the bottom to the highest at the top.
  ///
  /// - Parameters:
  ///   - values: the values; only finite ones are drawn.
  ///   - columns: the number of characters in a row.
  ///   - rows: the number of rows.
  /// - Returns: the rows, without spaces at their ends.
  package static func rows(_ values: [Double], columns: Int, rows: Int) -> [String] {
    let finite = values.filter(\.isFinite)
    guard columns > 0, rows > 0, let least = finite.min(), let most = finite.max() else {
      return Array(repeating: "", count: max(0, rows))
    }
    let (width, height) = (Double(columns * 2 - 1), Double(rows * 4 - 1))
    let points = values.enumerated().filter { $0.element.isFinite }.map { index, value in
      Point(
        x: Double(index) / Double(max(1, values.count - 1)) * width,
        y: most > least ? (most - value) / (most - least) * height : height / 2)
    }
    var canvas = BrailleCanvas(columns: columns, rows: rows)
    canvas.stroke(points, dash: [], within: nil)
    return canvas.text().split(separator: "\n", omittingEmptySubsequences: false).prefix(rows).map(String.init)
  }
}

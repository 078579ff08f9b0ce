import Basics
import Study

/// A mark on a line between two anchors, moved in steps of 1 % with the arrow keys; its number is not shown.
struct AnalogueEntry: AnswerEntry {
  private let scale: ScaleAnswerFormat
  private var percent: Int?

  init(_ scale: ScaleAnswerFormat) { self.scale = scale }

  /// A line with its mark, to be shown only.
  init(anchors: [Int: String], at percent: Int) {
    scale = ScaleAnswerFormat(minimum: 0, maximum: 100, anchors: anchors)
    self.percent = percent
  }

  var status: String { percent == nil ? "an arrow key shows the mark" : line(21) + "; Return confirms" }

  /// The first key shows the mark in the middle.
  mutating func take(_ key: OperatorKey) -> KeyUse {
    switch key {
    case .arrow(.right), .arrow(.up): percent = percent.map { min($0 + 1, scale.maximum) } ?? Self.middle
    case .arrow(.left), .arrow(.down): percent = percent.map { max($0 - 1, scale.minimum) } ?? Self.middle
    case .enter: return percent.map { .answers(.integer($0)) } ?? .unused
    case .letter, .typed, .end: return .unused
    }
    return .used
  }

  private static let middle = 50

  /// The longest line.
  private static let widest = 64

  func rows(width: Int) -> [String] {
    let length = max(3, min(width, Self.widest))
    let (left, right) = (anchor(scale.minimum), anchor(scale.maximum))
    let space = length - left.displayWidth - right.displayWidth
    guard space < 1 else { return [line(length), left + String(repeating: " ", count: space) + right] }
    return [
      line(length), left.cut(to: length).padded(to: length), right.cut(to: length).padded(to: length, isRight: true),
    ]
  }

  private func anchor(_ number: Int) -> String { scale.anchors[number]?.visible ?? "" }

  private func line(_ length: Int) -> String {
    var cells = Array(repeating: "-", count: length)
    (cells[0], cells[length - 1]) = ("|", "|")
    if let percent { cells[percent * (length - 1) / 100] = "#" }
    return cells.joined()
  }
}

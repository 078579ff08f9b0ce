import Basics
import Study

/// A mark on a line between two anchors, whose number is not shown.
///
/// The arrow keys move it by 1 % and the Page keys by 10 %; Home and End lead to the ends, and a digit chooses its tenth.
struct AnalogueEntry: AnswerEntry {
  private let scale: ScaleAnswerFormat
  private var selection = Selection()

  init(_ scale: ScaleAnswerFormat) { self.scale = scale }

  /// A line with its mark, to be shown only.
  init(anchors: [Int: String], at percent: Int) {
    scale = ScaleAnswerFormat(minimum: 0, maximum: 100, anchors: anchors)
    selection.choose(percent)
  }

  var state: Selection.State { selection.state }

  var status: String {
    switch selection.state {
    case .untouched: "a digit or an arrow key shows the mark"
    case .pointed: line(21) + "; not chosen yet, Return chooses"
    case .chosen: line(21) + "; Return confirms"
    }
  }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    let range = scale.minimum...scale.maximum
    switch key {
    case .arrow(.right), .arrow(.up): selection.move(by: 1, within: range)
    case .arrow(.left), .arrow(.down): selection.move(by: -1, within: range)
    case .jump(.pageUp): selection.move(by: Self.page, within: range)
    case .jump(.pageDown): selection.move(by: -Self.page, within: range)
    case .jump(.home): selection.point(to: scale.minimum)
    case .jump(.end): selection.point(to: scale.maximum)
    case .enter: return selection.enter { .answers(.integer($0)) }
    case .letter(let letter), .typed(let letter):
      guard letter.isASCII, let digit = letter.wholeNumberValue else { return .unused }
      selection.choose(digit * Self.page)
    case .end, .repeated: return .unused
    }
    return .used
  }

  /// By how many percent the Page keys move.
  private static let page = 10

  /// The longest line.
  private static let widest = 64

  func rows(width: Int) -> EntryRows {
    let length = max(3, min(width, Self.widest))
    let (left, right) = (anchor(scale.minimum), anchor(scale.maximum))
    let space = length - left.displayWidth - right.displayWidth
    guard space < 1 else {
      return EntryRows([line(length), left + String(repeating: " ", count: space) + right], focus: 0..<2)
    }
    let anchors =
      left.wrapped(to: length).map { $0.padded(to: length) }
      + right.wrapped(to: length).map { $0.padded(to: length, isRight: true) }
    return EntryRows([line(length)] + anchors, focus: 0..<1 + anchors.count)
  }

  private func anchor(_ number: Int) -> String { scale.anchors[number]?.visible ?? "" }

  private func line(_ length: Int) -> String {
    var cells = Array(repeating: "-", count: length)
    (cells[0], cells[length - 1]) = ("|", "|")
    if let percent = selection.number {
      cells[percent * (length - 1) / 100] = selection.chosen == nil ? "?" : "#"
    }
    return cells.joined()
  }
}

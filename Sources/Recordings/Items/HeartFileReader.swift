import Basics
import Quantities

/// An incremental reader of a heart file's items, in bounded memory.
///
/// A heart file is an object with a list `items`, a list, or one item per line. Unknown members are ignored.
package struct HeartFileReader: Sendable {
  /// Why a file cannot be read beyond a line.
  package struct Fault: Error, Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// What is wrong there.
    package let reason: String
  }

  private var pieces = JSONPieces(elementsOf: HeartItem.list)
  private var items = HeartItemReader()
  private var measures: [Int: HeartMeasure] = [:]

  /// The origin of dates for items without a trial time: the first item's date; `nil` if all items have a trial time.
  private(set) var zero: WallTime?

  package init() {}

  /// Takes bytes and returns the items that end in them.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that follow those taken before.
  ///   - isLast: whether the file ends after them.
  /// - Returns: the items in order; valid JSON that is not an item has a ``HeartItem/fault``.
  /// - Throws: the line that is not JSON.
  package mutating func take(_ bytes: [UInt8], isLast: Bool) throws(Fault) -> [HeartItem] {
    let (texts, fault) = pieces.take(bytes, isLast: isLast)
    var items: [HeartItem] = []
    items.reserveCapacity(texts.count)
    for text in texts {
      do throws(JSONProblems) {
        var item = try self.items.read(text.text)
        item.line = text.line
        item.isListed = text.isElement
        items.append(item)
      } catch {
        let problem = error.problems[0]
        let place = TextPlace(offset: problem.offset, in: text.text)
        throw Fault(line: text.line + place.line - 1, reason: problem.reason)
      }
    }
    if let fault { throw Fault(line: fault.line, reason: fault.reason) }
    return items
  }

  /// All texts of the items so far, by number.
  package var texts: [String] { items.texts }

  package mutating func value(of item: HeartItem) -> HeartValue {
    if let fault = item.fault { return .none(fault) }
    guard let type = item.type, let unit = item.unit, let value = item.value else {
      return .none("it has no type, no value or no unit")
    }
    // There are few texts, so the two numbers fit into one.
    let kind = type << 32 | unit
    let measure = measures[kind] ?? HeartMeasure(type: texts[type], unit: texts[unit])
    measures[kind] = measure
    return measure.value(value)
  }

  /// The time of an item's sample in nanoseconds: the end of its last interval.
  ///
  /// It is the item's `t_ns`, since the trial's zero. Without one it is its `endDate`, since the first such date of the
  /// file. Without that it is its `startDate`, which is the beginning of an interval and the time of a heart rate.
  ///
  /// - Returns: `nil` if the item has none of them.
  package mutating func time(of item: HeartItem) -> Double? {
    if let time = item.time { return time }
    guard let date = item.endDate ?? item.startDate else { return nil }
    let first = zero ?? date
    zero = first
    let time = Double(first.duration(to: date).nanoseconds)
    if item.endDate == nil, case .interval(let length) = value(of: item) { return time + length * 1e6 }
    return time
  }
}

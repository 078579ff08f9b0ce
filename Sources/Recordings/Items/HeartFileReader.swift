package import Basics
import Quantities

/// Reads the items of a heart file from its bytes as they come, in flat memory.
///
/// A heart file is an object with a list `items`, a list, or an item a line. Members that are not known are passed over.
package struct HeartFileReader: Sendable {
  /// Why a file cannot be read from a line on.
  package struct Fault: Error, Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// What is wrong there.
    package let reason: String
  }

  private var pieces = JSONPieces(elementsOf: HeartItem.list)
  private var items = HeartItemReader()
  private var measures: [Int: HeartMeasure] = [:]

  /// The date from which items without a time of a trial are counted: that of the first; `nil` where all have one.
  package private(set) var zero: WallTime?

  /// Nothing read yet.
  package init() {}

  /// Takes bytes and gives the items that end in them.
  ///
  /// - Parameters:
  ///   - bytes: what follows the bytes that were taken before.
  ///   - isLast: whether the file ends after them.
  /// - Returns: the items, in their order; what is JSON, but no item, has a ``HeartItem/fault``.
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

  /// Every text that stood in an item, by its number.
  package var texts: [String] { items.texts }

  /// What an item says.
  package mutating func value(of item: HeartItem) -> HeartValue {
    if let fault = item.fault { return .none(fault) }
    guard let type = item.type, let unit = item.unit, let value = item.value else {
      return .none("it has no type, no value or no unit")
    }
    // Texts are few; their numbers in one.
    let kind = type << 32 | unit
    let measure = measures[kind] ?? HeartMeasure(type: texts[type], unit: texts[unit])
    measures[kind] = measure
    return measure.value(value)
  }

  /// When an item was true, in nanoseconds: the end of its last interval.
  ///
  /// It is the item's `t_ns`, since the trial's zero. Without one it is its `endDate`, since the first such date of the
  /// file. Without that it is its `startDate`, at which an interval begins and a heart rate is true.
  ///
  /// - Returns: `nil` where it has none of them.
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

package import Basics
import Quantities

/// One item of a heart file, as it stands there: a heart rate with the intervals that came with it, or an interval.
///
/// A heart file is ResearchKit's `{"items":[…]}` with members of the station's own. What is missing is `nil`.
package struct HeartItem: Hashable, Sendable {
  /// HealthKit's name of what was measured, by its number in ``HeartFileReader/texts``.
  ///
  /// Texts that stand in item after item are numbered, so that they are read and compared once.
  package var type: Int?
  /// The unit of ``value``, by its number.
  package var unit: Int?
  /// The sensor, by its number.
  package var source: Int?
  /// The recorder that has cut the item out of its sensor's stream, by its number.
  package var recorder: Int?
  /// When it was true, in nanoseconds since the trial's zero: the end of its last interval.
  package var time: Double?
  /// When it ended on the calendar; it may be left out where there is a ``time``.
  package var endDate: WallTime?
  /// When it began on the calendar; it may be left out where there is a ``time``.
  package var startDate: WallTime?
  /// The number, in its unit.
  package var value: Double?
  /// The intervals that came with a heart rate, in milliseconds, oldest first.
  package var intervals: [Double] = []
  /// The number of its reading in the trial's journal.
  package var sequence: Double?
  /// Whether the sensor touched the skin.
  package var contact: Bool?
  /// Whether it arrived after its recorder had stopped.
  package var isLate = false
  /// When the sender says that it happened, in seconds of the sender's own clock.
  package var senderTime: Double?
  /// Why it is no item: `“seq” is no number`; `nil` where it is one.
  package var fault: String?
  /// The line of the file on which it begins, from 1.
  package var line = 1
  /// Whether it stands in the file's list of items, rather than by itself.
  package var isListed = true

  /// The members of an item, in the order in which they are written.
  package enum Key: Int, CaseIterable, Sendable {
    case arrived, contact, endDate, late, recorder, intervals, senderTime, sequence, source, startDate, step, time, type
    case unit, value

    /// The member's name in the file.
    package var name: String {
      switch self {
      case .arrived: "arrived_ns"
      case .contact: "contact"
      case .endDate: "endDate"
      case .late: "late"
      case .recorder: "recorder"
      case .intervals: "rr_ms"
      case .senderTime: "sender_s"
      case .sequence: "seq"
      case .source: "source"
      case .startDate: "startDate"
      case .step: "step"
      case .time: "t_ns"
      case .type: "type"
      case .unit: "unit"
      case .value: "value"
      }
    }
  }

  /// The name of the list that holds the items.
  package static let list = "items"
}

/// What an item says, in the units that beats are reckoned in.
package enum HeartValue: Hashable, Sendable {
  /// Beats a minute.
  case rate(Double)
  /// Milliseconds between two beats.
  case interval(Double)
  /// Neither, and why: `“kg” is no unit of heartRate`.
  case none(String)
}

/// How the numbers of a type and a unit are read.
enum HeartMeasure: Sendable {
  case rate(Unit)
  case interval(Unit)
  case unreadable(String)

  init(type: String, unit symbol: String) {
    guard let quantityType = QuantityType(type) else {
      self = .unreadable("its type “\(type)” is not known")
      return
    }
    guard QuantityType.recordable.contains(quantityType) else {
      self = .unreadable("“\(type)” is neither a heart rate nor an interval between beats")
      return
    }
    do throws(QuantityError) {
      let unit = try Unit(symbol)
      let isRate = quantityType == .heartRate
      guard unit.isCompatible(with: isRate ? .countPerMinute : .millisecond) else {
        self = .unreadable("“\(symbol)” is no unit of \(quantityType)")
        return
      }
      self = isRate ? .rate(unit) : .interval(unit)
    } catch {
      self = .unreadable("\(error)")
    }
  }

  func value(_ number: Double) -> HeartValue {
    switch self {
    case .rate(let unit): .rate(unit == .countPerMinute ? number : unit.convert(number, to: .countPerMinute))
    case .interval(let unit): .interval(unit == .millisecond ? number : unit.convert(number, to: .millisecond))
    case .unreadable(let reason): .none(reason)
    }
  }
}

import Basics
package import Quantities

/// One item of a heart file as written: a heart rate with its intervals, or an interval.
///
/// A heart file is ResearchKit's `{"items":[…]}` with additional members of the station. Missing members are `nil`.
package struct HeartItem: Hashable, Sendable {
  /// HealthKit's name of the quantity, by its number in ``HeartFileReader/texts``.
  ///
  /// Texts that recur in many items are numbered, so that they are parsed and compared once.
  var type: Int?
  /// The unit of ``value``, by its number.
  package var unit: Int?
  /// The sensor, by its number.
  package var source: Int?
  /// The recorder that cut the item out of its sensor's stream, by its number.
  package var recorder: Int?
  /// The time of the sample in nanoseconds since the trial's zero: the end of its last interval.
  package var time: Double?
  /// The wall-clock time of its end; may be omitted if there is a ``time``.
  var endDate: WallTime?
  /// The wall-clock time of its beginning; may be omitted if there is a ``time``.
  var startDate: WallTime?
  /// The number, in its unit.
  package var value: Double?
  /// The intervals that came with a heart rate, in milliseconds, oldest first.
  package var intervals: [Double] = []
  /// The sequence number of its sample in the trial's journal.
  package var sequence: Double?
  /// Whether the sensor had skin contact.
  package var contact: Bool?
  /// Whether it arrived after its recorder had stopped.
  package var isLate = false
  /// The sender's own time of the sample, in seconds of its clock.
  package var senderTime: Double?
  /// Why it is not a valid item: `“seq” is no number`; `nil` if it is valid.
  package var fault: String?
  /// The line of the file on which it begins, counted from 1.
  package var line = 1
  /// Whether it is an element of the file's list of items, rather than a document by itself.
  package var isListed = true

  /// The members of an item, in the order of writing.
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

/// The value of an item, in the units of beat calculations.
package enum HeartValue: Hashable, Sendable {
  /// Beats per minute.
  case rate(Double)
  /// Milliseconds between two beats.
  case interval(Double)
  /// A value of another quantity, in this unit.
  case other(QuantityType, Unit)
  /// None of these, with the reason: `“kg” is no unit of heartRate`.
  case none(String)
}

/// The interpretation of values with a certain type and unit.
enum HeartMeasure: Sendable {
  case rate(Unit)
  case interval(Unit)
  case other(QuantityType, Unit)
  case unreadable(String)

  init(type: String, unit symbol: String) {
    guard let quantityType = QuantityType(healthKit: type) else {
      self = .unreadable("its type “\(type)” is not known")
      return
    }
    do throws(QuantityError) {
      let unit = try Unit(symbol)
      guard unit.isCompatible(with: quantityType.canonicalUnit) else {
        self = .unreadable("“\(symbol)” is not a unit of \(quantityType)")
        return
      }
      self =
        switch quantityType {
        case .heartRate: .rate(unit)
        case .rrInterval: .interval(unit)
        default: .other(quantityType, unit)
        }
    } catch {
      self = .unreadable("\(error)")
    }
  }

  func value(_ number: Double) -> HeartValue {
    switch self {
    case .rate(let unit): .rate(unit == .countPerMinute ? number : unit.convert(number, to: .countPerMinute))
    case .interval(let unit): .interval(unit == .millisecond ? number : unit.convert(number, to: .millisecond))
    case .other(let type, let unit): .other(type, unit)
    case .unreadable(let reason): .none(reason)
    }
  }
}

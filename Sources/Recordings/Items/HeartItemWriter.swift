package import Basics
package import Quantities

/// Writes a heart file, one item per line with sorted keys: the same items always give the same bytes.
package struct HeartItemWriter: Sendable {
  /// The properties shared by all items of one recorder.
  package struct Recorder: Sendable {
    fileprivate let type: QuantityType
    fileprivate let recorder: [UInt8]
    fileprivate let source: [UInt8]
    fileprivate let step: [UInt8]
    fileprivate let typeAndUnit: [UInt8]

    /// Creates the properties of a recorder.
    ///
    /// - Parameters:
    ///   - identifier: its identifier.
    ///   - source: its sensor's name.
    ///   - step: the step that it belongs to.
    ///   - type: the quantity it records.
    ///   - unit: the unit of its values.
    package init(identifier: String, source: String, step: String, type: QuantityType, unit: Unit) {
      func text(_ string: String) -> [UInt8] { JSONValue.string(string).encoded() }
      self.type = type
      recorder = member(.recorder) + text(identifier)
      self.source = member(.source) + text(source)
      self.step = member(.step) + text(step)
      typeAndUnit = member(.type) + text(type.healthKitIdentifier) + member(.unit) + text(unit.symbol)
    }
  }

  /// The properties of a single item.
  package struct Sample: Sendable {
    /// The times of arrival and of the sample, in nanoseconds since the trial's zero within ±2^53, so that every JSON
    /// reader gets the same number.
    var (arrived, time): (Int64, Int64)
    /// The wall-clock times of its beginning and end.
    var (startDate, endDate): (WallTime, WallTime)
    /// The value in its recorder's unit.
    var value: Double
    /// Whether it arrived after its recorder had stopped.
    var isLate: Bool
    /// Whether the sensor had skin contact; `nil` if it cannot tell.
    var contact: Bool?
    /// The intervals of its sample in milliseconds, oldest first; written for heart rates only.
    var intervals: [Double]
    /// The sender's own time of the sample, in seconds of its clock.
    var senderTime: Double?
    /// The sequence number of its sample in the journal.
    var sequence: Int

    /// Creates a sample.
    package init(
      arrived: Int64, time: Int64, startDate: WallTime, endDate: WallTime, value: Double, isLate: Bool, contact: Bool?,
      intervals: [Double], senderTime: Double?, sequence: Int
    ) {
      (self.arrived, self.time) = (arrived, time)
      (self.startDate, self.endDate) = (startDate, endDate)
      self.value = value
      self.isLate = isLate
      self.contact = contact
      self.intervals = intervals
      self.senderTime = senderTime
      self.sequence = sequence
    }
  }

  private var isFirst = true

  /// Creates a writer for a file without items.
  package init() {}

  /// The text before the first item.
  package static let opening = Array("{\"\(HeartItem.list)\":[".utf8)

  /// The text after the last item.
  package var closing: [UInt8] { Array((isFirst ? "]}\n" : "\n]}\n").utf8) }

  /// The text of an item, with the separator from the previous one.
  package mutating func item(_ sample: Sample, of recorder: Recorder) -> [UInt8] {
    var text = JSONText(reserving: 400)
    text.append(isFirst ? Words.first : Words.next)
    isFirst = false
    text.append(sample.arrived)
    if let contact = sample.contact {
      text.append(Words.contact)
      text.append(contact ? "true" : "false")
    }
    let end = sample.endDate.description
    text.append(Words.endDate)
    text.append(end)
    text.append("\"")
    if sample.isLate { text.append(Words.late) }
    text.append(recorder.recorder)
    if recorder.type == .heartRate, !sample.intervals.isEmpty {
      text.append(Words.intervals)
      for (index, interval) in sample.intervals.enumerated() {
        if index > 0 { text.append(",") }
        text.append(interval)
      }
      text.append("]")
    }
    if let time = sample.senderTime, time.isFinite {
      text.append(Words.senderTime)
      text.append(time)
    }
    text.append(Words.sequence)
    text.append(Int64(sample.sequence))
    text.append(recorder.source)
    text.append(Words.startDate)
    text.append(sample.startDate == sample.endDate ? end : sample.startDate.description)
    text.append("\"")
    text.append(recorder.step)
    text.append(Words.time)
    text.append(sample.time)
    text.append(recorder.typeAndUnit)
    text.append(Words.value)
    text.append(sample.value)
    text.append("}")
    return text.bytes
  }

  private enum Words {
    static let first = Array("\n{".utf8) + member(.arrived).dropFirst()
    static let next = Array(",\n{".utf8) + member(.arrived).dropFirst()
    static let contact = member(.contact)
    static let endDate = member(.endDate) + Array("\"".utf8)
    static let late = member(.late) + Array("true".utf8)
    static let intervals = member(.intervals) + Array("[".utf8)
    static let senderTime = member(.senderTime)
    static let sequence = member(.sequence)
    static let startDate = member(.startDate) + Array("\"".utf8)
    static let time = member(.time)
    static let value = member(.value)
  }
}

/// A member's name, with the comma after the previous member.
private func member(_ key: HeartItem.Key) -> [UInt8] { Array(",\"\(key.name)\":".utf8) }

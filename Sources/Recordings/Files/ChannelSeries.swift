import Basics
package import Quantities

/// The samples of one recorder of another quantity than the heart's, in the order of their times.
package struct ChannelSeries: Hashable, Sendable {
  /// The bundle that it was read from.
  package let path: String
  /// The recorder; several, joined by `+`, where what a sensor sent to them is put together.
  package private(set) var recorder: String
  /// The sensor's name.
  package let sensor: String
  package let type: QuantityType
  /// The unit of the values.
  package let unit: Unit
  /// The times of the samples in seconds since the trial's zero.
  package private(set) var times: [Double] = []
  /// The values of the samples.
  package private(set) var values: [Double] = []
  /// The number of samples without skin contact, which are left out.
  package private(set) var withoutContact = 0

  package init(path: String, recorder: String, sensor: String, type: QuantityType, unit: Unit) {
    (self.path, self.recorder, self.sensor, self.type, self.unit) = (path, recorder, sensor, type, unit)
  }

  /// Adds samples, in any order of time.
  mutating func add(_ samples: [(time: Double, value: Double)]) {
    let all = (zip(times, values).map { (time: $0, value: $1) } + samples).sorted { $0.time < $1.time }
    (times, values) = (all.map(\.time), all.map(\.value))
  }

  /// Adds what another recorder has of the same quantity of the same sensor; what both have counts once.
  package mutating func add(_ other: ChannelSeries) {
    recorder += "+\(other.recorder)"
    withoutContact += other.withoutContact
    add(zip(other.times, other.values).map { (time: $0, value: other.unit.convert($1, to: unit)) })
    let isRepeated = times.indices.map { $0 > 0 && times[$0] == times[$0 - 1] && values[$0] == values[$0 - 1] }
    (times, values) = (
      times.indices.filter { !isRepeated[$0] }.map { times[$0] },
      values.indices.filter { !isRepeated[$0] }.map { values[$0] }
    )
  }

  /// Adds the samples of a recorder's file.
  ///
  /// - Parameters:
  ///   - file: the file's path.
  ///   - see: called with every byte of the file while it is read.
  /// - Throws: ``RecordingError`` with the line that cannot be parsed.
  package mutating func read(_ file: String, see: @escaping ([UInt8]) -> Void = { _ in }) throws(RecordingError) {
    var reader = HeartFileReader()
    var samples: [(time: Double, value: Double)] = []
    var skipped = 0
    let (type, unit) = (type, unit)
    let pieces = try FilePieces(file, path, isRegular: true, see: see)
    try pieces.read { (bytes, isLast) throws(RecordingFault) in
      let items: [HeartItem]
      do throws(HeartFileReader.Fault) {
        items = try reader.take(bytes, isLast: isLast)
      } catch {
        throw RecordingFault(line: error.line, reason: error.reason)
      }
      for item in items {
        guard item.contact != false else {
          skipped += 1
          continue
        }
        guard case .other(type, let own) = reader.value(of: item), let value = item.value,
          let time = reader.time(of: item)
        else { throw RecordingFault(line: item.line, reason: item.fault ?? "it is not a sample of \(type)") }
        samples.append((time / 1e9, own.convert(value, to: unit)))
      }
    }
    withoutContact += skipped
    add(samples)
  }
}

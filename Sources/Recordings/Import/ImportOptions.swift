package import Basics
package import Quantities

/// What a file does not say itself and its reader must be told; nothing of it is guessed.
package struct ImportOptions: Sendable {
  /// How a table writes its times.
  package enum Times: Hashable, Sendable {
    /// As RFC 3339 does: `2026-11-20T11:08:31.250+01:00`, with a blank in place of the T and before the offset too.
    case calendar
    /// As seconds since 1970-01-01T00:00:00Z.
    case secondsSince1970
    /// As milliseconds since 1970-01-01T00:00:00Z.
    case millisecondsSince1970
  }

  /// Which clocks show times that have no offset from UTC.
  package enum LocalTime: Hashable, Sendable {
    /// Those of a time zone, whose name samples keep.
    case zone(TimeZone)
    /// Those that are always that far ahead of UTC.
    case offset(Duration)

    /// The zone's name.
    var zone: String? {
      guard case .zone(let zone) = self else { return nil }
      return zone.name
    }

    /// The instant that a time without an offset is; `nil` for a text that is none.
    func instant(_ text: String) -> WallTime? {
      switch self {
      case .zone(let zone): zone.time(text)
      case .offset(let offset): TimeZone.utc.time(text)?.advanced(by: .zero - offset)
      }
    }
  }

  /// The quantity type of rows without one.
  package var type: QuantityType?

  /// The unit of rows without one.
  package var unit: Unit?

  /// The source of rows without one; without it, the file's name.
  var source: String?

  /// How times are written.
  package var times: Times

  /// Which clocks show times without an offset; without it, such times are refused.
  package var localTime: LocalTime?

  /// The day of the first time of day in a table; without it, times of day are refused.
  package var date: CalendarDate?

  /// Whether numbers have a decimal comma; without it, they have one where semicolons separate the columns.
  package var decimalComma: Bool?

  /// How many samples a second intervals without a unit count; `nil` for milliseconds.
  package var samplingRate: Double?

  /// The code of the participant whose samples they are: part of what each sample is, and of its metadata.
  package var participant: String?

  package init(
    type: QuantityType? = nil, unit: Unit? = nil, source: String? = nil, times: Times = .calendar,
    localTime: LocalTime? = nil, date: CalendarDate? = nil, decimalComma: Bool? = nil, participant: String? = nil
  ) {
    self.type = type
    self.unit = unit
    self.source = source
    self.times = times
    self.localTime = localTime
    self.date = date
    self.decimalComma = decimalComma
    self.participant = participant
  }
}

/// Reads one kind of file from pieces that follow one another.
protocol RecordReader: AnyObject {
  /// What was read and not yet taken.
  var batch: ImportBatch { get set }

  /// What became of all records so far.
  var report: ImportReport { get }

  /// Reads the next piece, and what is left over of those before it.
  ///
  /// - Parameters:
  ///   - piece: the bytes.
  ///   - isLast: whether the file ends after them.
  /// - Throws: why nothing behind can be read; what came before is in the batch.
  func read(_ piece: [UInt8], isLast: Bool) throws(Fault)
}

/// Why nothing can be read behind a place of a file.
struct Fault: Error, Hashable {
  /// The line, from 1; `nil` in a file without lines.
  let line: Int?
  let column: Int
  let reason: String
}

/// Why one record is not read.
struct Refusal: Error, Hashable {
  let reason: String
}

extension QuantitySample {
  /// The sample, where a store keeps it.
  func kept() throws(Refusal) -> QuantitySample {
    let reason =
      Storable.problem(with: type, from: start, to: end) ?? Storable.problem(with: sourceRevision)
      ?? Storable.problem(with: device) ?? Storable.problem(with: metadata)
    if let reason { throw Refusal(reason: reason) }
    return self
  }
}

package import Basics
package import Quantities

/// What became of a file's records: each is counted once, as imported, as left out or as refused.
package struct ImportReport: Hashable, Sendable {
  /// A record that could not be read, or not all of it.
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The line on which the record begins, from 1.
    package let line: Int
    package let reason: String

    /// `line 12: the value “NaN” is not a number`.
    package var description: String { "line \(line): \(reason)" }
  }

  /// How many quantity samples were read.
  package internal(set) var samples = 0

  /// How many heartbeat series were read.
  package internal(set) var series = 0

  /// How many records could not be read.
  package internal(set) var refused = 0

  /// The first of those that could not be read, `maxProblems` at most.
  package private(set) var problems: [Problem] = []

  /// How many records were read without something that they hold as well.
  package private(set) var noted = 0

  /// The first remarks on records that were read, `maxProblems` at most.
  package private(set) var notes: [Problem] = []

  /// How many there are of what the station has no place for, by the file's own names for it.
  package private(set) var leftOut: [String: Int] = [:]

  /// How many rows of a table say the same as a row of the same time, and count once with it.
  package private(set) var repeated = 0

  /// The line of the first of them.
  package private(set) var firstRepeated: Int?

  /// How many samples of each type have values that people cannot have; they were read as they are.
  package private(set) var implausible: [QuantityType: Int] = [:]

  /// Columns of a table that were not read, in the table's order.
  package internal(set) var ignoredColumns: [String] = []

  /// Whom the file is about, as far as it says.
  package internal(set) var person = Person()

  /// When the file was written, as far as it says.
  var exported: WallTime?

  /// The maximum number of problems that are told one by one.
  static let maxProblems = 20

  // The maximum number of names of what is left out; a file made to hurt has more.
  private static let maxNames = 1000

  package init() {}

  /// Counts a sample that was read.
  mutating func take(_ sample: QuantitySample) {
    samples += 1
    if !sample.isPlausible { implausible[sample.type, default: 0] += 1 }
  }

  mutating func repeatRow(line: Int) {
    repeated += 1
    firstRepeated = firstRepeated ?? line
  }

  mutating func refuse(line: Int, _ reason: String) {
    refused += 1
    if problems.count < Self.maxProblems { problems.append(Problem(line: line, reason: reason)) }
  }

  /// Counts records that could not be read either, without their lines.
  mutating func refuse(further count: Int) { refused += max(0, count) }

  /// A remark on a record that was read.
  mutating func note(line: Int, _ reason: String) {
    noted += 1
    if notes.count < Self.maxProblems { notes.append(Problem(line: line, reason: reason)) }
  }

  mutating func leaveOut(_ name: String, count: Int = 1) {
    let isKnown = leftOut[name] != nil || leftOut.count < Self.maxNames
    leftOut[isKnown ? name : "others", default: 0] += count
  }
}

/// The characteristics of a person, as far as a file says them.
package struct Person: Hashable, Sendable {
  /// The day of birth; `nil` where it is not known.
  package internal(set) var dateOfBirth: CalendarDate?

  package internal(set) var sex = BiologicalSex.notSet

  /// A person of whom nothing is known.
  package init() {}
}

/// What a piece of a file held, in the file's order.
package struct ImportBatch: Hashable, Sendable {
  package internal(set) var samples: [QuantitySample] = []

  package internal(set) var series: [HeartbeatSeries] = []

  /// How much memory it takes, counted in samples: four beats take that of one.
  package var weight: Int { samples.count + series.reduce(0) { $0 + 1 + $1.beats.count / 4 } }

  /// Takes another batch's samples and series behind its own.
  package mutating func append(_ other: ImportBatch) {
    samples += other.samples
    series += other.series
  }

  package init() {}

  /// Whether the piece held none.
  package var isEmpty: Bool { samples.isEmpty && series.isEmpty }
}

/// Why a file cannot be read, or not to its end.
package enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refused.
  case file(FileError)
  /// It is no file of a kind that can be imported.
  case notImportable(path: String, reason: String)
  /// It breaks off or goes wrong at a place behind which nothing can be read; what came before was delivered.
  case broken(path: String, line: Int, column: Int, reason: String)
  /// The same, for a file without lines.
  case damaged(path: String, reason: String)

  /// The file, the place, the reason and what to do.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .notImportable(let path, let reason): "cannot import “\(path.visible)”: \(reason)"
    case .damaged(let path, let reason): "“\(path.visible)”: \(reason)"
    case .broken(let path, let line, let column, let reason): "\(path):\(line):\(column): \(reason)"
    }
  }
}

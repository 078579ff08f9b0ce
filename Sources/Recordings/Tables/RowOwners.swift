import Basics

/// Whose rows a table has, by the columns that the station's own exports have for that.
struct RowOwners {
  private let participant: Int?
  private let trial: Int?
  private var first: (participant: String?, line: Int) = (nil, 0)
  private var last: (trial: String?, time: Double) = (nil, -.infinity)

  init(_ columns: TableColumns) {
    let names = columns.fields.map(\.text)
    participant = names.firstIndex { HeartColumn.named($0)?.column == .participant }
    trial = names.firstIndex { HeartColumn.words(in: $0).joined() == "trial" }
  }

  /// Why a row does not belong to the recording of the rows above; `nil` if it may.
  ///
  /// The trials of one recording follow each other in time.
  mutating func problem(_ fields: [String], time: Double?, line: Int) -> String? {
    let remedy = "keep the rows of one participant and one trial, or give the bundles of the trials"
    if let participant, case let name = fields[participant], !name.isEmpty {
      guard let known = first.participant else {
        first = (name, line)
        return nil
      }
      if known != name {
        return "its participant is “\(name.prefix(40).visible)”, and that of line \(first.line) is "
          + "“\(known.prefix(40).visible)”; \(remedy)"
      }
    }
    guard let trial, let time else { return nil }
    defer { last = (fields[trial], time) }
    guard let before = last.trial, before != fields[trial], time < last.time else { return nil }
    return "its trial is another one than that of the row above, and its time is earlier; \(remedy)"
  }
}

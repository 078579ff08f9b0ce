import Basics
import Quantities
import Recordings

extension RowReader {
  /// The columns of a table, with the factors that convert its intervals to milliseconds, and its times to seconds.
  struct Header: Sendable {
    let columns: TableColumns
    /// The channels of the columns that are not of heart data.
    let channels: [Int: Channel]
    let delimiter: UInt8
    let intervalScale: Double
    let timeScale: Double
    /// Why its rows cannot be read: a unit that does not fit, or no column that is known.
    let problem: String?
    /// The number of its fields if it names no column that a sensor's table has, and may also be a greeting.
    let strangeCount: Int?

    /// Creates the columns of a sensor's table; `nil` for another table.
    init?(_ columns: TableColumns) {
      let named = columns.unread.compactMap { column in Channel(named: column.name).map { (column.place, $0) } }
      let problem = columns.problem ?? Self.problem(columns.unread)
      guard problem != nil || columns.areOfSensor || !named.isEmpty && !columns.areOfHeart else { return nil }
      self.init(columns, Dictionary(uniqueKeysWithValues: named), problem, UInt8(ascii: columns.delimiter))
    }

    /// Creates the columns of a table whose rows cannot be read.
    init(strange columns: TableColumns, _ delimiter: Unicode.Scalar, count: Int, problem: String) {
      self.init(columns, [:], problem, UInt8(ascii: delimiter), strangeCount: count)
    }

    private init(
      _ columns: TableColumns, _ channels: [Int: Channel], _ problem: String?, _ delimiter: UInt8,
      strangeCount: Int? = nil
    ) {
      self.columns = columns
      self.channels = channels
      self.problem = problem
      self.delimiter = delimiter
      self.strangeCount = strangeCount
      intervalScale = 1000 / (columns.unit(of: .interval) ?? .milliseconds).perSecond
      timeScale = 1 / (columns.unit(of: columns.timeColumn) ?? .seconds).perSecond
    }

    /// Why columns of channels cannot be read: they name a unit that their quantity does not have.
    private static func problem(_ columns: [TableColumns.Unread]) -> String? {
      columns.lazy.compactMap { column -> String? in
        let parts = column.name.split(maxSplits: 1) { $0 == "_" || $0 == "(" || $0 == "[" || $0 == " " }
        guard parts.count == 2, Channel(named: column.name) == nil, let type = QuantityType(channel: String(parts[0])),
          case let unit = parts[1].filter({ !"()[] ".contains($0) }), !unit.isEmpty,
          Channel(named: "\(parts[0])_\(unit)") == nil
        else { return nil }
        return "the column \(column.shown): \(type.channelName) is not measured in “\(unit.prefix(24).visible)”"
      }.first
    }

    /// The columns that are ignored.
    var unread: [TableColumns.Unread] { columns.unread.filter { channels[$0.place] == nil } }

    /// The report on columns that are ignored, worded as a predicate; `nil` if there are none.
    var report: String? {
      guard problem == nil, case let names = unread.map(\.shown), !names.isEmpty else { return nil }
      let more = names.count > 12 ? " and \(names.count - 12) more" : ""
      return "has \(names.count == 1 ? "one column that is" : "\(names.count) columns that are") not read: "
        + names.prefix(12).joined(separator: ", ") + more
    }
  }
}

import Quantities

extension SQLiteStatement: SQLRow {
  /// Binds the sixteen bytes of a UUID.
  func bind(_ index: Int32, _ uuid: UUID) throws(SQLiteError) {
    try bind(index, uuid.high.bigEndian, uuid.low.bigEndian)
  }

  /// The UUID whose sixteen bytes a column holds.
  func uuid(_ column: Int32) -> UUID {
    let (first, second) = words(column)
    return UUID(high: UInt64(bigEndian: first), low: UInt64(bigEndian: second))
  }
}

import Files

/// What a file's first bytes say about it, read without SQLite, which might change a file that is not ours.
///
/// The header is described in “Database File Format”, sqlite.org/fileformat.html, section 1.3.
struct SQLiteFile {
  /// Whether there is a store; without it there is nothing, or an empty file.
  let isStore: Bool

  /// Looks at a file.
  ///
  /// - Throws: ``StoreError`` for a file that is no store, or one of a later version.
  init(_ path: String) throws {
    guard Folder.exists(path) else {
      isStore = false
      return
    }
    let header: [UInt8]
    do {
      guard !Folder.isFolder(path) else {
        throw StoreError(.databaseInaccessible, "cannot open the store “\(path)”: it is a folder; name a file in it")
      }
      header = try File(path, .read).read(upTo: 100)
    } catch let error as FileError {
      throw StoreError(.databaseInaccessible, "cannot open the store “\(path)”: \(error.reason)")
    }
    isStore = !header.isEmpty
    guard isStore else { return }
    func refuse(_ reason: String) -> StoreError {
      StoreError(.databaseInaccessible, "cannot open the store “\(path)”: \(reason)")
    }
    guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw refuse("it is not a SQLite database, or its beginning is damaged; it was left as it is")
    }
    func number(at place: Int) -> Int32 {
      Int32(bitPattern: header[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    guard number(at: 68) == SQLiteSchema.application else {
      throw refuse("it is a SQLite database of another program; it was left as it is")
    }
    let version = number(at: 60)
    guard version <= SQLiteSchema.version else { throw Self.newer(path, version) }
  }

  /// The error for tables of a later version.
  static func newer(_ path: String, _ version: Int32) -> StoreError {
    StoreError(
      .databaseInaccessible,
      "cannot open the store “\(path)”: it was made by a newer station "
        + "(version \(version) of its tables; this one knows \(SQLiteSchema.version)); use that station")
  }
}

import Basics

/// The texts that a protocol was read from: its own file and the files that it includes.
///
/// Offsets count through all of them, so that the offset of a value also says which file it is in.
struct ProtocolText: Sendable {
  private struct File: Sendable {
    let name: String
    let bytes: [UInt8]
    let start: Int
  }

  /// The protocol's own file first.
  private var files: [File]

  /// Creates the text of a protocol that includes nothing.
  ///
  /// - Parameters:
  ///   - fileName: the file's name for messages.
  ///   - bytes: its contents.
  init(_ fileName: String, _ bytes: [UInt8]) { files = [File(name: fileName, bytes: bytes, start: 0)] }

  /// Adds a file.
  ///
  /// - Returns: what its offsets are to be increased by.
  mutating func add(_ fileName: String, _ bytes: [UInt8]) -> Int {
    let start = (files.last?.start ?? 0) + (files.last?.bytes.count ?? 0) + 1
    files.append(File(name: fileName, bytes: bytes, start: start))
    return start
  }

  /// Whether other files were read with it.
  var hasOthers: Bool { files.count > 1 }

  /// Where the byte at an offset is: the file's name, line and column.
  func place(of offset: Int) -> (fileName: String, place: TextPlace) {
    let file = files.last { $0.start <= offset } ?? files[0]
    return (file.name, TextPlace(offset: offset - file.start, in: file.bytes))
  }

  /// Where the bytes at these offsets are: the file's name, line and column.
  func places(of offsets: [Int]) -> [Int: (fileName: String, place: TextPlace)] {
    let byFile = Dictionary(grouping: offsets) { offset in files.lastIndex { $0.start <= offset } ?? 0 }
    var places: [Int: (fileName: String, place: TextPlace)] = [:]
    for (index, offsets) in byFile {
      let file = files[index]
      for (offset, place) in TextPlace.places(of: offsets.map { $0 - file.start }, in: file.bytes) {
        places[offset + file.start] = (file.name, place)
      }
    }
    return places
  }
}

/// Where the steps of an expanded protocol were written: in its own file or in one that it includes.
struct StepOrigins: Sendable {
  private var written: [JSONPointer: JSONPointer] = [:]
  private var tables: Set<JSONPointer> = []

  /// Whether everything has the path that it was written with.
  var isEmpty: Bool { written.isEmpty && tables.isEmpty }

  /// Notes that what is at a path and inside of it was written in a table, which has no paths.
  mutating func note(table path: JSONPointer) { tables.insert(path) }

  /// Notes the path that an expanded step was written with.
  mutating func note(_ path: JSONPointer, is origin: JSONPointer) {
    written[path] = nil
    if written(path) != origin { written[path] = origin }
  }

  /// The path that a value of the expanded protocol was written with.
  func written(_ path: JSONPointer) -> JSONPointer {
    guard !isEmpty else { return path }
    for count in stride(from: path.parts.count, to: 0, by: -1) {
      let outer = JSONPointer(Array(path.parts.prefix(count)))
      if tables.contains(outer) { return .root }
      if let origin = written[outer] {
        return JSONPointer(origin.parts + path.parts.dropFirst(count))
      }
    }
    return path
  }
}

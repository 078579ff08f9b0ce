import CPostgres
import Quantities

/// The result of a statement, in PostgreSQL's binary format; it frees itself.
@safe
final class PostgresResult {
  private let handle: OpaquePointer
  private let functions: cpostgres_functions

  /// The number of rows.
  let count: Int

  init(_ handle: OpaquePointer, _ functions: cpostgres_functions) {
    unsafe self.handle = handle
    self.functions = functions
    count = unsafe Int(functions.ntuples(handle))
  }

  deinit { unsafe functions.clear(handle) }

  /// Whether the server refused the statement.
  var isRefused: Bool {
    switch unsafe functions.resultStatus(handle) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: false
    default: true
    }
  }

  /// The server's command tag, such as `COMMIT`.
  var command: String { unsafe functions.cmdStatus(handle).map { unsafe String(cString: $0) } ?? "" }

  /// The number of rows that a statement changed.
  var changes: Int { unsafe functions.cmdTuples(handle).flatMap { unsafe Int(String(cString: $0)) } ?? 0 }

  /// A field of the server's error message, by the letters of “Error and Notice Message Fields”.
  func errorField(_ field: Character) -> String? {
    let letter = Int32(field.asciiValue ?? 0)
    return unsafe functions.resultErrorField(handle, letter).map { unsafe String(cString: $0) }
  }
}

extension PostgresResult {
  /// An integer; 0 for NULL.
  func integer(_ row: Int, _ column: Int32) -> Int64 { Int64(bitPattern: word(row, column, at: 0)) }

  /// A floating-point number; 0 for NULL.
  func double(_ row: Int, _ column: Int32) -> Double { Double(bitPattern: word(row, column, at: 0)) }

  /// A UUID.
  func uuid(_ row: Int, _ column: Int32) -> UUID {
    UUID(high: word(row, column, at: 0), low: word(row, column, at: 8))
  }

  /// A text; `nil` for NULL.
  func text(_ row: Int, _ column: Int32) -> String? {
    unsafe bytes(row, column).map { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Bytes; `nil` for NULL.
  func byteString(_ row: Int, _ column: Int32) -> [UInt8]? { unsafe bytes(row, column).map { unsafe Array($0) } }

  private func bytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer? {
    let row = Int32(row)
    guard unsafe functions.getisnull(handle, row, column) == 0 else { return nil }
    let count = unsafe Int(functions.getlength(handle, row, column))
    return unsafe UnsafeRawBufferPointer(start: functions.getvalue(handle, row, column), count: count)
  }

  /// Eight bytes of a value, big-endian; 0 if it has fewer.
  private func word(_ row: Int, _ column: Int32, at place: Int) -> UInt64 {
    guard let bytes = unsafe bytes(row, column), bytes.count >= place + 8 else { return 0 }
    return unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}

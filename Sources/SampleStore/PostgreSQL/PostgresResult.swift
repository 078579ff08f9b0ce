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

/// A parameter of a statement, in PostgreSQL's binary format.
struct PostgresValue {
  /// The OID of its type, from PostgreSQL's `pg_type.dat`.
  let type: UInt32

  /// Its bytes, big-endian.
  let bytes: [UInt8]

  private init(type: UInt32, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  static func integer(_ value: Int64) -> Self { Self(type: 20, bytes: bigEndian(UInt64(bitPattern: value))) }

  static func real(_ value: Double) -> Self { Self(type: 701, bytes: bigEndian(value.bitPattern)) }

  static func text(_ value: String) -> Self { Self(type: 25, bytes: Array(value.utf8)) }

  static func uuid(_ value: UUID) -> Self { Self(type: 2950, bytes: bigEndian(value.high) + bigEndian(value.low)) }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    unsafe withUnsafeBytes(of: value.bigEndian) { bytes in unsafe Array(bytes) }
  }
}

/// Arrays, with which one statement handles many rows.
extension PostgresValue {
  static func integers(_ values: some Collection<Int64>) -> Self {
    array(of: 20, type: 1016, values, size: 8) { value, bytes in
      append(UInt32(8), to: &bytes)
      append(UInt64(bitPattern: value), to: &bytes)
    }
  }

  static func reals(_ values: some Collection<Double>) -> Self {
    array(of: 701, type: 1022, values, size: 8) { value, bytes in
      append(UInt32(8), to: &bytes)
      append(value.bitPattern, to: &bytes)
    }
  }

  static func uuids(_ values: some Collection<UUID>) -> Self {
    array(of: 2950, type: 2951, values, size: 16) { value, bytes in
      append(UInt32(16), to: &bytes)
      append(value.high, to: &bytes)
      append(value.low, to: &bytes)
    }
  }

  static func texts(_ values: some Collection<String?>) -> Self {
    array(of: 25, type: 1009, values, size: 0) { value, bytes in append(value?.utf8, to: &bytes) }
  }

  static func byteStrings(_ values: some Collection<[UInt8]?>) -> Self {
    array(of: 17, type: 1001, values, size: 0) { value, bytes in append(value, to: &bytes) }
  }

  /// Encodes in the layout of `array_recv`: dimensions, NULL flag, element type, count, first index.
  private static func array<Values: Collection>(
    of element: UInt32, type: UInt32, _ values: Values, size: Int, _ encode: (Values.Element, inout [UInt8]) -> Void
  ) -> Self {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + values.count * (size + 4))
    let header = values.isEmpty ? [0, 0, element] : [1, 1, element, UInt32(values.count), 1]
    for number in header { append(number, to: &bytes) }
    for value in values { encode(value, &bytes) }
    return Self(type: type, bytes: bytes)
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: number.bigEndian) { number in unsafe bytes.append(contentsOf: number) }
  }

  private static func append(_ value: (some Collection<UInt8>)?, to bytes: inout [UInt8]) {
    append(value.map { UInt32($0.count) } ?? UInt32.max, to: &bytes)
    if let value { bytes.append(contentsOf: value) }
  }
}

import CSystemd

/// Reads the values of a message.
@safe struct BusReader {
  private let message: csystemd_message

  init(_ message: csystemd_message) { unsafe self.message = unsafe message }

  /// The values up to the end of the container or message; what cannot be read ends them.
  func values() -> [BusValue] {
    var values: [BusValue] = []
    while let value = next() { values.append(value) }
    return values
  }

  private func next() -> BusValue? {
    var (type, contents) = unsafe (CChar(0), UnsafePointer<CChar>?.none)
    guard unsafe csystemd_peek(message, &type, &contents) > 0 else { return nil }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "a"):
      let first = unsafe contents.map { unsafe UInt8(bitPattern: $0[0]) }
      switch first {
      case UInt8(ascii: "y"): return bytes()
      case UInt8(ascii: "{"): return unsafe inside(type, contents) { .dictionary(pairs()) }
      default: return unsafe inside(type, contents) { .list(values()) }
      }
    case UInt8(ascii: "v"): return unsafe inside(type, contents) { next() ?? .list([]) }
    case UInt8(ascii: "r"), UInt8(ascii: "e"): return unsafe inside(type, contents) { .list(values()) }
    default: return basic(type)
    }
  }

  private func inside(_ type: CChar, _ contents: UnsafePointer<CChar>?, _ read: () -> BusValue) -> BusValue? {
    guard unsafe csystemd_enter(message, type, contents) > 0 else { return nil }
    let value = read()
    return unsafe csystemd_exit(message) >= 0 ? value : nil
  }

  private func pairs() -> [String: BusValue] {
    var pairs: [String: BusValue] = [:]
    while case .list(let pair)? = next(), pair.count == 2 {
      let key =
        switch pair[0] {
        case .string(let text): text
        case .integer(let number): "\(number)"
        default: ""
        }
      pairs[key] = pair[1]
    }
    return pairs
  }

  private func bytes() -> BusValue? {
    var (start, count) = unsafe (UnsafeRawPointer?.none, 0)
    guard unsafe csystemd_read_bytes(message, &start, &count) >= 0 else { return nil }
    return unsafe .bytes(Array(UnsafeRawBufferPointer(start: start, count: count)))
  }

  private func basic(_ type: CChar) -> BusValue? {
    func read<Value: BitwiseCopyable>(_ value: Value) -> Value? {
      var value = value
      return unsafe csystemd_read(message, type, &value) > 0 ? value : nil
    }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "b"): return read(Int32(0)).map { .bool($0 != 0) }
    case UInt8(ascii: "y"): return read(UInt8(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "n"): return read(Int16(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "q"): return read(UInt16(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "i"), UInt8(ascii: "h"): return read(Int32(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "u"): return read(UInt32(0)).map { .integer(Int64($0)) }
    case UInt8(ascii: "x"): return read(Int64(0)).map { .integer($0) }
    case UInt8(ascii: "t"): return read(UInt64(0)).map { .integer(Int64(clamping: $0)) }
    case UInt8(ascii: "d"): return read(0.0).map { .double($0) }
    default:
      var text: UnsafePointer<CChar>?
      guard unsafe csystemd_read(message, type, &text) > 0, let text = unsafe text else { return nil }
      return unsafe .string(String(cString: text))
    }
  }
}

/// Writes values into a message.
@safe struct BusWriter {
  private let message: csystemd_message

  init(_ message: csystemd_message) { unsafe self.message = unsafe message }

  /// Appends a value as the type that a signature names; returns an error number below zero where it does not fit.
  func append(_ value: BusValue, _ signature: Substring) -> Int32 {
    guard let first = signature.utf8.first else { return 0 }
    let type = CChar(bitPattern: first)
    switch (signature.first, value) {
    case ("v", .variant(let inner, let value)):
      return container(type, inner) { append(value, inner[...]) }
    case ("a", .bytes(let bytes)) where signature == "ay":
      return unsafe bytes.withUnsafeBytes { unsafe csystemd_append_bytes(message, $0.baseAddress, $0.count) }
    case ("a", .list(let values)):
      let inner = signature.dropFirst()
      return container(type, String(inner)) { all(values) { append($0, inner) } }
    case ("a", .dictionary(let members)):
      // `a{sv}`: the key is one letter.
      let pair = signature.dropFirst(2).dropLast()
      return container(type, String(signature.dropFirst())) {
        all(members.sorted { $0.key < $1.key }) { member in
          container(CChar(bitPattern: UInt8(ascii: "e")), String(pair)) {
            let code = append(.string(member.key), pair.prefix(1))
            return code < 0 ? code : append(member.value, pair.dropFirst())
          }
        }
      }
    case (_, .string(let text)): return unsafe text.withCString { unsafe csystemd_append(message, type, $0) }
    case ("b", .bool(let isTrue)): return basic(type, Int32(isTrue ? 1 : 0))
    case ("d", .double(let number)): return basic(type, number)
    case ("y", .integer(let number)): return basic(type, UInt8(clamping: number))
    case ("n", .integer(let number)): return basic(type, Int16(clamping: number))
    case ("q", .integer(let number)): return basic(type, UInt16(clamping: number))
    case ("i", .integer(let number)): return basic(type, Int32(clamping: number))
    case ("u", .integer(let number)): return basic(type, UInt32(clamping: number))
    default: return -22  // EINVAL
    }
  }

  private func basic(_ type: CChar, _ value: some BitwiseCopyable) -> Int32 {
    var value = value
    return unsafe csystemd_append(message, type, &value)
  }

  private func container(_ type: CChar, _ contents: String, _ fill: () -> Int32) -> Int32 {
    var code = unsafe csystemd_begin(message, type, contents)
    if code >= 0 { code = fill() }
    return code < 0 ? code : unsafe csystemd_end(message)
  }

  private func all<Element>(_ elements: [Element], _ write: (Element) -> Int32) -> Int32 {
    for element in elements {
      let code = write(element)
      if code < 0 { return code }
    }
    return 0
  }
}

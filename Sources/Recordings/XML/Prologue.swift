/// The part of an XML file before its first element: its document type is taken out, so that it can do nothing.
///
/// The type definitions that some versions of iOS write into exports are not well formed, and those of a file made to
/// hurt define entities. Blanks take the place of the definitions, so that lines and columns stay what they are.
struct Prologue {
  /// What the file is, for messages: `Apple Health export`.
  let title: String
  private var held: [UInt8] = []
  private(set) var isOver = false

  init(title: String) { self.title = title }

  // Apple's own definitions take about ten kilobytes.
  private static let maxLength = 1 << 20

  /// Takes a piece and gives what the parser may read of it; nothing while the definitions have not come to their end.
  mutating func filter(_ piece: [UInt8], isLast: Bool) throws(XMLFault) -> [UInt8] {
    guard !isOver else { return piece }
    held = held.isEmpty ? piece : held + piece
    guard let span = try definitions(isLast: isLast) else { return [] }
    isOver = true
    for index in span where held[index] != UInt8(ascii: "\n") { held[index] = UInt8(ascii: " ") }
    defer { held = [] }
    return held
  }

  // Where the definitions stand, brackets included; empty where there are none, `nil` where more bytes may tell.
  private func definitions(isLast: Bool) throws(XMLFault) -> Range<Int>? {
    var position = 0
    var opening: Int?
    while position < held.count {
      if begins("<!--", at: position) {
        guard let end = find("-->", from: position + 4) else { break }
        position = end
      } else if begins("<?", at: position) {
        guard let end = find("?>", from: position + 2) else { break }
        position = end
      } else if begins("<!ENTITY", at: position) {
        throw fault(at: position, "it defines an entity, which no \(title) needs; it is not read")
      } else if let start = opening, begins("]", at: position) {
        let end = held[(position + 1)...].firstIndex { !Self.isSpace($0) }
        if end.map({ held[$0] == UInt8(ascii: ">") }) ?? false { return start..<(position + 1) }
        position += 1
      } else if opening == nil, begins("[", at: position) {
        opening = position
        position += 1
      } else if opening == nil, begins("<", at: position), !begins("<!", at: position) {
        // The first element. A name that goes on in the next piece begins with a letter all the same.
        if position + 1 < held.count { return 0..<0 }
        break
      } else {
        position += 1
      }
    }
    guard held.count <= Self.maxLength else {
      throw fault(at: opening ?? 0, "its document type has no end within a megabyte; it is not read")
    }
    return isLast ? 0..<0 : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func begins(_ text: StaticString, at position: Int) -> Bool {
    guard position + text.utf8CodeUnitCount <= held.count else { return false }
    let start = unsafe text.utf8Start
    return (0..<text.utf8CodeUnitCount).allSatisfy { unsafe held[position + $0] == start[$0] }
  }

  private func find(_ text: StaticString, from start: Int) -> Int? {
    var position = start
    while position < held.count {
      if begins(text, at: position) { return position + text.utf8CodeUnitCount }
      position += 1
    }
    return nil
  }

  private func fault(at position: Int, _ reason: String) -> XMLFault {
    let before = held[..<position]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return XMLFault(line: line, column: position - start + 1, reason: reason)
  }
}

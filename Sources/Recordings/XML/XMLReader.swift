import CExpat

/// What an ``XMLReader`` reports, element by element.
protocol XMLHandler: AnyObject {
  /// An element starts.
  ///
  /// - Parameters:
  ///   - name: its name, with the prefix of its namespace.
  ///   - attributes: its attributes, valid during this call.
  ///   - reader: the reader, which knows the line and the depth and can be stopped.
  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, _ reader: XMLReader)

  /// The last element that started and has not ended ends.
  func end(_ reader: XMLReader)

  /// Text within an element, in pieces; only for readers with text.
  func text(_ bytes: UnsafeRawBufferPointer)
}

/// An element's attributes as expat gives them, for as long as its callback lasts.
@unsafe
struct XMLAttributes {
  /// Names and values by turns; `nil` at the end.
  let list: UnsafeMutablePointer<UnsafePointer<CChar>?>
}

/// Why nothing can be read beyond a place of an XML file.
struct XMLFault: Error, Hashable, Sendable {
  /// The line, from 1.
  let line: Int
  /// The column, from 1.
  let column: Int
  /// The reason, as a clause.
  let reason: String
  /// Whether the file ends before its last element does.
  var isCut = false
}

/// Reads XML piece by piece through expat, in bounded memory.
///
/// Definitions of entities, elements that lie deeper than those of any recording, and elements without an end are
/// refused: a file with them was made to exhaust the memory.
@safe
final class XMLReader {
  private let parser: OpaquePointer
  private let title: String
  private var prologue: Prologue
  private var handler: (any XMLHandler)?
  private var fault: XMLFault?
  private var bytesWithoutElement = 0
  // Blanks before the XML declaration, which some programs write, are not passed on; their lines count.
  private var hasBegun = false
  private var linesBefore = 0

  /// The number of elements around the current place, itself included.
  private(set) var depth = 0

  private static let maxDepth = 64
  private static let maxElementLength = 2 << 20

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - title: what the file is, for messages: `Apple Health export`.
  ///   - hasText: whether text within elements is reported.
  init(_ title: String, hasText: Bool) {
    self.title = title
    prologue = Prologue(title: title)
    guard let parser = unsafe XML_ParserCreate(nil) else { preconditionFailure("no memory for a parser") }
    unsafe self.parser = parser
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(parser, elementStarts, elementEnds)
    unsafe XML_SetStartDoctypeDeclHandler(parser, definitionsStart)
    if hasText { unsafe XML_SetCharacterDataHandler(parser, textComes) }
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// The current line, from 1.
  var line: Int { unsafe linesBefore + Int(XML_GetCurrentLineNumber(parser)) }

  /// Reads the next piece.
  ///
  /// - Parameters:
  ///   - piece: the bytes.
  ///   - isLast: whether the file ends after them.
  ///   - handler: gets what is in it.
  /// - Throws: ``XMLFault`` beyond which nothing can be read.
  func read(_ piece: [UInt8], isLast: Bool, _ handler: any XMLHandler) throws(XMLFault) {
    let bytes = try prologue.filter(hasBegun ? piece : begun(piece), isLast: isLast)
    bytesWithoutElement += piece.count
    self.handler = handler
    defer { self.handler = nil }
    let status = unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe XML_Parse(parser, start, Int32(buffer.count), isLast ? 1 : 0)
    }
    if let fault { throw fault }
    guard status == XML_STATUS_OK else {
      let code = unsafe XML_GetErrorCode(parser)
      var fault = here(Self.reason(code))
      fault.isCut = isLast && Self.isEnd(code)
      throw fault
    }
    guard bytesWithoutElement < Self.maxElementLength else {
      throw here("no element begins or ends in the last \(Self.maxElementLength >> 20) MB; nothing that long is read")
    }
  }

  /// Stops reading at the current place.
  func stop(_ reason: String) {
    guard fault == nil else { return }
    fault = here(reason)
    unsafe XML_StopParser(parser, 0)
  }

  /// The piece without the blanks and byte order marks before the file's first character.
  private func begun(_ piece: [UInt8]) -> [UInt8] {
    var place = 0
    while place < piece.count {
      if piece[place] == 0x20 || (0x09...0x0D).contains(piece[place]) {
        if piece[place] == 0x0A { linesBefore += 1 }
        place += 1
      } else if piece[place...].starts(with: [0xEF, 0xBB, 0xBF]) {
        place += 3
      } else {
        hasBegun = true
        break
      }
    }
    return place == 0 ? piece : Array(piece[place...])
  }

  // What an end in the middle of an element, a text or a character is to the parser.
  private static func isEnd(_ code: XML_Error) -> Bool {
    [XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION]
      .contains(code)
  }

  private static func reason(_ code: XML_Error) -> String {
    if isEnd(code) { return "the file ends in the middle" }
    return unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "it is not XML"
  }

  private func here(_ reason: String) -> XMLFault {
    unsafe XMLFault(line: line, column: Int(XML_GetCurrentColumnNumber(parser)) + 1, reason: reason)
  }

  // MARK: Callbacks

  fileprivate func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    guard fault == nil else { return }
    bytesWithoutElement = 0
    depth += 1
    guard depth <= Self.maxDepth else { return stop("elements lie \(depth) deep in one another; no \(title) has that") }
    unsafe handler?.start(name, attributes, self)
  }

  fileprivate func end() {
    guard fault == nil else { return }
    bytesWithoutElement = 0
    handler?.end(self)
    depth -= 1
  }

  fileprivate func text(_ bytes: UnsafeRawBufferPointer) {
    if fault == nil { unsafe handler?.text(bytes) }
  }

  fileprivate func definitions() {
    stop("its document type has definitions, which no \(title) needs; it is not read")
  }
}

private func reader(_ box: UnsafeMutableRawPointer?) -> XMLReader? {
  unsafe box.map { unsafe Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

private func elementStarts(
  _ box: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  guard let name = unsafe name, let list = unsafe list else { return }
  unsafe reader(box)?.start(name, XMLAttributes(list: list))
}

private func elementEnds(_ box: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) { unsafe reader(box)?.end() }

private func textComes(_ box: UnsafeMutableRawPointer?, _ start: UnsafePointer<CChar>?, _ count: Int32) {
  unsafe reader(box)?.text(UnsafeRawBufferPointer(start: start, count: Int(count)))
}

private func definitionsStart(
  _ box: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ system: UnsafePointer<CChar>?,
  _ publicIdentifier: UnsafePointer<CChar>?, _ hasDefinitions: Int32
) {
  if unsafe hasDefinitions != 0 || system != nil { unsafe reader(box)?.definitions() }
}

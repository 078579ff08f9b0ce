package import Basics
import Quantities

/// A value of the file being read, with its path and the list that collects problems.
///
/// Each reading function returns `nil` after it has reported a problem, so that its caller can continue with the rest.
package struct Located {
  package let node: JSONNode
  let path: JSONPointer
  let problems: ProblemList

  package init(root node: JSONNode, problems: ProblemList) { self.init(node: node, path: .root, problems: problems) }

  init(node: JSONNode, path: JSONPointer, problems: ProblemList) {
    self.node = node
    self.path = path
    self.problems = problems
  }

  /// Reports a problem with this value.
  package func report(_ reason: @autoclosure () -> String) { problems.add(at: node.offset, path, reason) }

  /// Reports that this value differs from what was expected.
  ///
  /// - Parameters:
  ///   - expectation: what was expected.
  ///   - isSimple: whether a value without quotes may be that.
  func expected(_ expectation: String, isSimple: Bool = true) {
    let remedy =
      switch node.content {
      case .null where path.parts.last.map { Int($0) == nil } ?? false: "; a key with nothing to say is left out"
      case .string(let text) where isSimple && !expectation.hasSuffix("a string") && Self.standsWithoutQuotes(text):
        "; write it without quotes"
      case .number where expectation.hasSuffix("a string"), .bool where expectation.hasSuffix("a string"):
        "; write it in quotes"
      default: ""
      }
    report("expected \(expectation), found \(node.phrase)\(remedy)")
  }

  private static func standsWithoutQuotes(_ text: String) -> Bool {
    Double(text) != nil || text == "true" || text == "false"
  }

  // MARK: Simple values

  /// The string here; `nil`, without reporting a problem, if there is none.
  var quietString: String? {
    guard case .string(let value) = node.content else { return nil }
    return value
  }

  package func string(_ meaning: String? = nil) -> String? {
    guard let value = quietString else {
      expected(meaning.map { "\($0) as a string" } ?? "a string")
      return nil
    }
    return value
  }

  /// A string with at least one character.
  package func name(_ meaning: String) -> String? {
    guard let value = string(meaning) else { return nil }
    guard !value.isEmpty, !value.utf8.contains(0) else {
      report("expected \(meaning), found \(value.isEmpty ? node.phrase : "a string with a null character")")
      return nil
    }
    return value
  }

  /// `true` or `false`.
  func bool() -> Bool? {
    guard case .bool(let value) = node.content else {
      expected("true or false")
      return nil
    }
    return value
  }

  package func number(_ expectation: String, in range: ClosedRange<Double>) -> Double? {
    guard case .number(let value) = node.content else {
      expected(expectation)
      return nil
    }
    guard range.contains(value) else {
      let limits = [range.lowerBound, range.upperBound].map { JSONValue.number($0).text() }
      report("expected \(expectation) from \(limits[0]) to \(limits[1]), found \(node.phrase)")
      return nil
    }
    return value
  }

  func wholeNumber(_ expectation: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = number(expectation, in: Double(range.lowerBound)...Double(range.upperBound)) else { return nil }
    guard value == value.rounded() else {
      expected("a whole number")
      return nil
    }
    return Int(value)
  }

  /// A number of seconds in a range, in whole milliseconds.
  func seconds(in range: ClosedRange<Double>) -> Duration? {
    guard let value = number("a number of seconds", in: range) else { return nil }
    let milliseconds = (value * 1000).rounded()
    guard milliseconds / 1000 == value else {
      report("\(JSONValue.number(value).text()) s is finer than a millisecond; round it to three decimals")
      return nil
    }
    return .milliseconds(Int64(milliseconds))
  }

  /// A whole number of milliseconds in a range.
  func milliseconds(in range: ClosedRange<Double>) -> Duration? {
    guard let value = number("a whole number of milliseconds", in: range) else { return nil }
    guard value == value.rounded() else {
      expected("a whole number of milliseconds")
      return nil
    }
    return .milliseconds(Int64(value))
  }

  // MARK: Words

  /// One of the allowed words; a misspelt one is reported with a suggestion.
  package func word(_ what: String, among words: [String]) -> String? {
    guard let value = string(what) else { return nil }
    guard words.contains(value) else {
      report("\(node.phrase) is not \(what); \(Spelling.advice(for: value, among: words))")
      return nil
    }
    return value
  }

  /// An identifier: safe in file names, on command lines and in other programs.
  func identifier() -> String? {
    shaped("an identifier", "a letter or digit, then at most 63 letters, digits or . _ -", most: 64, beside: "._-")
  }

  /// A version, numbered by the researcher.
  func version() -> String? {
    shaped("a version", "a letter or digit, then at most 31 letters, digits or . _ - +", most: 32, beside: "._-+")
  }

  static func isIdentifier(_ text: String) -> Bool { hasShape(text, most: 64, beside: "._-") }

  private static func hasShape(_ text: String, most: Int, beside marks: String) -> Bool {
    func isPlain(_ byte: UInt8) -> Bool {
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
    let bytes = text.utf8
    guard let first = bytes.first else { return false }
    return isPlain(first) && bytes.count <= most && bytes.allSatisfy { isPlain($0) || marks.utf8.contains($0) }
  }

  private func shaped(_ what: String, _ shape: String, most: Int, beside marks: String) -> String? {
    guard let value = string(what) else { return nil }
    guard Self.hasShape(value, most: most, beside: marks) else {
      report("\(node.phrase) is not \(what): \(shape)")
      return nil
    }
    return value
  }

  // MARK: Arrays and objects

  /// The elements of an array, each with its path.
  func elements(_ expectation: String, atMost most: Int) -> [Located]? {
    guard case .array(let elements) = node.content else {
      expected(expectation, isSimple: false)
      return nil
    }
    guard elements.count <= most else {
      report("expected \(expectation), at most \(most) of them, found \(elements.count)")
      return nil
    }
    return quietElements
  }

  /// The elements of an array that has at least one.
  package func filledElements(_ expectation: String, atMost most: Int) -> [Located]? {
    guard let elements = elements(expectation, atMost: most) else { return nil }
    guard !elements.isEmpty else {
      report("expected \(expectation) with at least one element, found an empty one")
      return nil
    }
    return elements
  }

  /// Reports each string that another one of the same things has before it.
  static func refuseRepetition(_ places: [Located], of what: String) {
    var first: [String: JSONPointer] = [:]
    for place in places {
      guard let name = place.quietString else { continue }
      if let path = first[name] {
        place.report("the name “\(name.shortened)” is already used at \(path); each \(what) needs its own")
      } else {
        first[name] = place.path
      }
    }
  }

  /// The elements of an array; empty, without reporting a problem, if there is none.
  var quietElements: [Located] {
    guard case .array(let elements) = node.content else { return [] }
    return elements.enumerated().map { Located(node: $1, path: path.appending($0), problems: problems) }
  }

  /// The object here.
  package func object(_ expectation: String) -> LocatedObject? {
    guard case .object(let members) = node.content else {
      expected(expectation, isSimple: false)
      return nil
    }
    return LocatedObject(place: self, members: members)
  }

  /// A member of the object here; `nil`, without reporting a problem, if there is none.
  func quietMember(_ key: String) -> Located? {
    guard case .object(let members) = node.content else { return nil }
    return LocatedObject(place: self, members: members)[key]
  }
}

/// An object of the file being read.
package struct LocatedObject {
  let place: Located

  /// The members in the order of the text.
  package let members: [JSONMember]

  /// The member with this key, if the object has it.
  package subscript(key: String) -> Located? {
    members.first { $0.key == key }.map(located)
  }

  /// The member with this key, which is required.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - meaning: its meaning, for the message that it is missing.
  /// - Returns: the member; `nil` after reporting a problem.
  package func required(_ key: String, _ meaning: String) -> Located? {
    if let member = self[key] { return member }
    place.report("the key “\(key)” is missing; it says \(meaning)")
    return nil
  }

  /// Reports every key beside the known ones that does not begin with `x-`.
  ///
  /// - Parameters:
  ///   - keys: the known keys.
  ///   - problem: what to say about another key.
  package func refuseKeys(beside keys: [String], _ problem: (_ key: String) -> String) {
    let known = Set(keys)
    for member in members where !known.contains(member.key) && !member.key.utf8.starts(with: "x-".utf8) {
      place.problems.add(at: member.keyOffset, place.path.appending(member.key)) { problem(member.key) }
    }
  }

  private func located(_ member: JSONMember) -> Located {
    Located(node: member.value, path: place.path.appending(member.key), problems: place.problems)
  }
}

/// What a file of the station is that was given where another one is read, by its key `format`.
package enum OtherFormat: String, CaseIterable, Sendable {
  case studyProtocol = "station.protocol/1"
  case settings = "station.settings/1"
  case steps = "station.steps/1"
  case result = "station.result/1"
  case session = "station.session/1"
  case clips = "station.clips/1"
  case texts = "station.texts/1"

  /// What it is, and what to do with it.
  package var advice: String {
    switch self {
    case .studyProtocol: "this file is a protocol; “station validate” checks it"
    case .settings: "this file is the settings of a station; “station settings” checks and shows them"
    case .steps: #"this file holds steps, which a protocol includes with { "include": "FILE" }; check that protocol"#
    case .result: "this file is the result of a trial; “station verify” checks its bundle"
    case .session: "this file is the record of a session; “station show --replay” checks it"
    case .clips: "this file describes clips; “station clips” checks their folder"
    case .texts: "this file translates a study, and a protocol names it in “texts”; check that protocol"
    }
  }
}

/// A sentence that holds for many things, with numbers that differ from one to another.
///
/// `The window of 9.8 s is short.` and `The window of 10 s is short.` are one: `The window of 9.8 to 10 s is short.`
struct SentenceTally: Sendable {
  /// What matching sentences have in common: their text, with a mark in place of each number.
  typealias Pattern = String

  private static let mark = UInt8(1)

  private let pattern: Pattern
  private var bounds: [(least: Substring, most: Substring)]

  /// Takes a sentence apart; numbers in words, such as NN50, and in quotes are none.
  static func parts(of sentence: String) -> (pattern: Pattern, numbers: [Substring]) {
    let bytes = Array(sentence.utf8)
    var pattern: [UInt8] = []
    pattern.reserveCapacity(bytes.count)
    var numbers: [Substring] = []
    var index = 0
    var isQuoted = false
    func isDigit(_ index: Int) -> Bool { index < bytes.count && (0x30...0x39).contains(bytes[index]) }
    while index < bytes.count {
      let byte = bytes[index]
      let isFree = pattern.last.map { !isInWord($0) } ?? true
      guard !isQuoted, isFree, isDigit(index) || byte == UInt8(ascii: "-") && isDigit(index + 1) else {
        // “ and ” are E2 80 9C and E2 80 9D.
        if byte == 0x9C, pattern.suffix(2) == [0xE2, 0x80] { isQuoted = true }
        if byte == 0x9D, pattern.suffix(2) == [0xE2, 0x80] { isQuoted = false }
        pattern.append(byte)
        index += 1
        continue
      }
      let start = index
      index += 1
      while isDigit(index) { index += 1 }
      if index < bytes.count, bytes[index] == UInt8(ascii: "."), isDigit(index + 1) {
        index += 1
        while isDigit(index) { index += 1 }
      }
      numbers.append(Substring(String(decoding: bytes[start..<index], as: UTF8.self)))
      pattern.append(mark)
    }
    return (String(decoding: pattern, as: UTF8.self), numbers)
  }

  /// A letter, a digit, or a byte of a character beyond ASCII.
  private static func isInWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == UInt8(ascii: "_") || byte == mark
  }

  /// A tally of one sentence.
  init(_ pattern: Pattern, _ numbers: [Substring]) {
    self.pattern = pattern
    bounds = numbers.map { ($0, $0) }
  }

  /// Takes the numbers of another sentence of the same pattern.
  mutating func add(_ numbers: [Substring]) {
    for (index, number) in zip(bounds.indices, numbers) {
      guard number != bounds[index].least || number != bounds[index].most, let value = Double(number) else { continue }
      if let least = Double(bounds[index].least), value < least { bounds[index].least = number }
      if let most = Double(bounds[index].most), value > most { bounds[index].most = number }
    }
  }

  /// Takes a whole tally of the same pattern.
  mutating func add(_ other: SentenceTally) {
    add(other.bounds.map(\.least))
    add(other.bounds.map(\.most))
  }

  /// The sentence, with a range where numbers differ.
  var text: String {
    let pieces = pattern.split(separator: "\u{1}", omittingEmptySubsequences: false)
    let ranges = bounds.map { $0.least == $0.most ? String($0.least) : "\($0.least) to \($0.most)" }
    return zip(pieces, ranges + [""]).map { "\($0)\($1)" }.joined()
  }
}

/// Sentences that hold for many trials, each told once with their number.
struct SentenceTallies: Sendable {
  /// What a sentence is about besides its words.
  struct Subject: Hashable, Sendable {
    /// The trials' group; `nil` inside for that of trials without a key.
    var group: String?
    /// The measure; `nil` for the response.
    var measure: Measure?
  }

  private struct Key: Hashable {
    let subject: Subject
    let pattern: SentenceTally.Pattern
  }

  private var tallies: [Key: (count: Int, sentence: SentenceTally)] = [:]

  /// Counts what one trial says; the same sentence about the same counts once.
  mutating func add(_ sentences: Set<Said>) {
    var counted: Set<Key> = []
    for said in sentences {
      let (pattern, numbers) = SentenceTally.parts(of: said.sentence)
      let key = Key(subject: said.subject, pattern: pattern)
      let isNew = counted.insert(key).inserted
      guard var tally = tallies.removeValue(forKey: key) else {
        tallies[key] = (1, SentenceTally(pattern, numbers))
        continue
      }
      tally.count += isNew ? 1 : 0
      tally.sentence.add(numbers)
      tallies[key] = tally
    }
  }

  /// A sentence about something.
  struct Said: Hashable, Sendable {
    let subject: Subject
    let sentence: String
  }

  /// A sentence with the number of trials that it holds for.
  struct Told: Sendable {
    let group: String?
    /// What it is about; empty for the response.
    let measures: [Measure]
    let trials: Int
    let sentence: String
  }

  /// The sentences; one about several measures of the same trials is told once.
  var told: [Told] {
    struct Shared: Hashable {
      let group: String?
      let pattern: SentenceTally.Pattern
      let count: Int
      let isResponse: Bool
    }
    var shared: [Shared: (measures: Set<Measure>, sentence: SentenceTally)] = [:]
    for (key, (count, sentence)) in tallies {
      let place = Shared(
        group: key.subject.group, pattern: key.pattern, count: count, isResponse: key.subject.measure == nil)
      var entry = shared[place] ?? ([], sentence)
      entry.sentence.add(sentence)
      if let measure = key.subject.measure { entry.measures.insert(measure) }
      shared[place] = entry
    }
    // Those without a key come last, and what holds for most of a group first.
    let order = shared.sorted { one, other in
      let (left, right) = (one.key, other.key)
      return (left.group == nil ? 1 : 0, left.group ?? "", -left.count, left.pattern)
        < (right.group == nil ? 1 : 0, right.group ?? "", -right.count, right.pattern)
    }
    return order.map { place, entry in
      Told(
        group: place.group, measures: Measure.allCases.filter(entry.measures.contains), trials: place.count,
        sentence: entry.sentence.text)
    }
  }
}

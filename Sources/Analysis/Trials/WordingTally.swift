import Basics

/// Sentences about many trials, each once, with the number of trials and the ranges of its numbers.
struct WordingTally: Sendable {
  /// What a sentence is about besides its words.
  struct Subject: Hashable, Sendable {
    /// The trials' group; `nil` inside for that of trials without a key.
    var group: String?
    /// The measure; `nil` for the response.
    var measure: Measure?
  }

  private struct Key: Hashable {
    let subject: Subject
    let words: [String]
  }

  private var tallies: [Key: (count: Int, sentence: Wording)] = [:]

  /// Counts the sentences of one trial; those with the same words about the same count once.
  mutating func add(_ sentences: Set<Statement>) {
    var counted: Set<Key> = []
    for statement in sentences {
      let key = Key(subject: statement.subject, words: statement.sentence.words)
      let isNew = counted.insert(key).inserted
      tallies[key, default: (0, statement.sentence)].count += isNew ? 1 : 0
      tallies[key]?.sentence.merge(statement.sentence)
    }
  }

  /// A sentence about something.
  struct Statement: Hashable, Sendable {
    let subject: Subject
    let sentence: Wording
  }

  /// A sentence, with the number of trials.
  struct Entry: Sendable {
    let group: String?
    /// What it is about; empty for the response.
    let measures: [Measure]
    let trials: Int
    let sentence: Wording
  }

  /// The sentences; one about several measures of the same trials is there once.
  var entries: [Entry] {
    struct Shared: Hashable {
      let group: String?
      let words: [String]
      let count: Int
      let isResponse: Bool
    }
    var shared: [Shared: (measures: Set<Measure>, sentence: Wording)] = [:]
    for (key, (count, sentence)) in tallies {
      let place = Shared(
        group: key.subject.group, words: key.words, count: count, isResponse: key.subject.measure == nil)
      var entry = shared[place] ?? ([], sentence)
      entry.sentence.merge(sentence)
      if let measure = key.subject.measure { entry.measures.insert(measure) }
      shared[place] = entry
    }
    // Those without a key come last, and what holds for most of a group first.
    let order = shared.sorted { one, other in
      let (left, right) = (one.key, other.key)
      return (left.group == nil ? 1 : 0, left.group ?? "", -left.count, left.words.joined())
        < (right.group == nil ? 1 : 0, right.group ?? "", -right.count, right.words.joined())
    }
    return order.map { place, entry in
      Entry(
        group: place.group, measures: Measure.allCases.filter(entry.measures.contains), trials: place.count,
        sentence: entry.sentence)
    }
  }
}

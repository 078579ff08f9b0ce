import Basics

/// The labels of a BIDS data set, which have letters and digits only, for names that may have others.
///
/// A name that is a label already is its own, unless another name has it. The map is kept in the data set.
struct BIDSLabels: Hashable, Sendable {
  /// What is labelled; each has labels of its own.
  enum Kind: String, CaseIterable, Sendable {
    case participant, session, task
  }

  private var labels: [Kind: [String: String]] = [:]
  // File systems may not tell letters by their case.
  private var taken: [Kind: Set<String>] = [:]

  init() {}

  /// The label of a name, a new one where it has none yet.
  mutating func label(_ name: String, _ kind: Kind) -> String {
    if let known = labels[kind]?[name] { return known }
    let stem = Self.stem(of: name)
    var label = stem
    var number = 1
    while taken[kind]?.contains(label.lowercased()) ?? false {
      number += 1
      label = "\(stem)x\(number)"
    }
    set(label, for: name, kind)
    return label
  }

  /// The letters and digits of a name.
  static func stem(of name: String) -> String {
    let plain = name.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
    return plain.isEmpty ? "x" : String(String.UnicodeScalarView(plain))
  }

  private mutating func set(_ label: String, for name: String, _ kind: Kind) {
    labels[kind, default: [:]][name] = label
    taken[kind, default: []].insert(label.lowercased())
  }

  /// The map as the data set keeps it.
  var json: JSONValue {
    .object(
      Kind.allCases.reduce(into: [:]) { all, kind in
        all[kind.rawValue] = .object((labels[kind] ?? [:]).mapValues { .string($0) })
      })
  }

  /// Reads what ``json`` says.
  init(_ json: JSONValue?) {
    for kind in Kind.allCases {
      for (name, label) in json?[kind.rawValue]?.object ?? [:] {
        if let label = label.string { set(label, for: name, kind) }
      }
    }
  }
}

/// Labels that are distinct within a trial, for names of files.
struct DistinctLabels {
  // File systems may not tell letters by their case.
  private var taken: Set<String> = []

  /// A label of a name, different from all before.
  mutating func label(_ name: String) -> String {
    var label = BIDSLabels.stem(of: name)
    while !taken.insert(label.lowercased()).inserted { label += "x" }
    return label
  }
}

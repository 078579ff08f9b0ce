extension String {
  /// The beginning of a statement on one line, which identifies it in messages.
  var beginning: String {
    let words = split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    return words.count > 60 ? "\(words.prefix(60))…" : words
  }
}

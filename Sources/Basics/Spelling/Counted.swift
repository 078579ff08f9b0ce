extension Int {
  /// So many of something, in words: `1 trial`, `3 trials`.
  ///
  /// - Parameters:
  ///   - noun: what one is called.
  ///   - plural: what several are called; the noun with an s unless it is given.
  /// - Returns: the number and what it counts.
  package func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}

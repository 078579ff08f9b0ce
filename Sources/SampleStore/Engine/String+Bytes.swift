extension String {
  /// Whether both are the same bytes, as databases compare them.
  ///
  /// Swift's `==` treats a precomposed “é” and a decomposed one as equal.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

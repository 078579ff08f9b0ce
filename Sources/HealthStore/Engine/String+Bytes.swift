extension String {
  /// Whether both are the same bytes, as databases compare: Swift takes an “é” of one scalar and one of two for equal.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

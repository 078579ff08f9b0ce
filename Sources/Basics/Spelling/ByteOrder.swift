import Glibc

extension String {
  /// Whether the bytes of the text in UTF-8 come before those of another: an order that no version of Unicode changes.
  package func precedes(_ other: String) -> Bool {
    let answer = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        guard let start = bytes.baseAddress, let other = others.baseAddress else { return bytes.count < others.count }
        let order = unsafe memcmp(start, other, min(bytes.count, others.count))
        return order == 0 ? bytes.count < others.count : order < 0
      }
    }
    return (answer ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

import Glibc

extension XMLAttributes {
  /// The value of the attribute with this name.
  subscript(name: StaticString) -> UnsafePointer<CChar>? {
    var found: UnsafePointer<CChar>?
    unsafe forEach { other, value in
      if unsafe other == name { unsafe found = value }
    }
    return unsafe found
  }

  /// Calls a closure with each name and value.
  @inline(__always)
  func forEach(_ body: (_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Void) {
    var position = 0
    while let name = unsafe list[position], let value = unsafe list[position + 1] {
      unsafe body(name, value)
      position += 2
    }
  }
}

extension UnsafePointer<CChar> {
  /// Whether the text that ends with a zero is this one.
  @inline(__always)
  static func == (text: UnsafePointer<CChar>, wanted: StaticString) -> Bool {
    let start = unsafe wanted.utf8Start
    for index in 0...wanted.utf8CodeUnitCount {
      // A static string ends with a zero too.
      guard unsafe UInt8(bitPattern: text[index]) == start[index] else { return false }
    }
    return true
  }

  /// The bytes before the zero at its end.
  var bytes: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeRawBufferPointer(start: self, count: strlen(self)).assumingMemoryBound(to: UInt8.self)
  }
}

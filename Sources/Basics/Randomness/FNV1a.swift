/// The 64-bit FNV-1a hash (Fowler, Noll and Vo) of a text, the same on every machine.
package func fnv1a64(_ text: String) -> UInt64 { fnv1a64(text.utf8) }

/// The 64-bit FNV-1a hash of bytes; it detects damage, but no intent.
package func fnv1a64(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo) of a text, the same on every machine.
package func fnv1a64(_ text: String) -> UInt64 {
  text.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

import Testing

@testable import Reports

@Suite("A page's colours and style sheet")
struct StyleTests {
  /// The contrast of two colours by WCAG 2.2.
  private static func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    func luminance(_ colour: UInt32) -> Double {
      let parts = [16, 8, 0].map { shift -> Double in
        let part = Double(colour >> UInt32(shift) & 255) / 255
        return part <= 0.04045 ? part / 12.92 : Self.power((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let (light, dark) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
  }

  /// x to the 2.4 = x² · (x²)^(1/5), the fifth root by Newton.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    let square = base * base
    var root = 1.0
    for _ in 0..<60 { root -= (root * root * root * root * root - square) / (5 * root * root * root * root) }
    return square * root
  }

  @Test("let all words be read by 4.5 : 1", arguments: [true, false])
  func contrast(isDark: Bool) {
    let palette = isDark ? Palette.dark : .light
    for (words, ground) in Palette.pairs {
      #expect(Self.contrast(palette[words], palette[ground]) >= 4.5, "\(words) on \(ground)")
    }
    #expect((Self.contrast(0, 0xffffff) - 21).magnitude < 1e-6)
    #expect((Self.contrast(0x777777, 0xffffff) - 4.478).magnitude < 1e-3)
  }

  @Test("are those of the style sheet, which uses no other")
  func variables() {
    let text = StyleSheet.text
    for (name, _) in Palette.light.colours { #expect(text.contains("var(--\(name))"), "\(name)") }
    #expect(Palette.light.colours.map(\.name) == Palette.dark.colours.map(\.name))
    let rules = text.split(separator: "\n").filter { !$0.contains(":root{") }.joined()
    for part in rules.split(separator: "var(--").dropFirst() {
      let name = String(part.prefix { $0 != ")" })
      #expect(Palette.light.colours.contains { $0.name == name }, "\(name)")
    }
    for part in rules.split(separator: "color:").dropFirst() {
      #expect(part.hasPrefix("var(") || part.hasPrefix("inherit"), "\(part.prefix(30))")
    }
  }

  @Test("keep print bright, and show where the keyboard is")
  func media() {
    #expect(StyleSheet.text.contains("@media screen and (prefers-color-scheme:dark)"))
    #expect(!StyleSheet.text.contains("@media (prefers-color-scheme"))
    #expect(StyleSheet.text.contains(":focus-visible{outline:3px solid"))
    #expect(StyleSheet.text.contains("@media print{"))
  }
}

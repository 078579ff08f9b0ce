import Charts

/// The colours of a page, by their purpose.
///
/// Background and text have the colours of the charts. Text has a contrast of at least 4.5 : 1 with its background
/// (WCAG 2.2, 1.4.3), and meaningful lines have 3 : 1.
struct Palette: Sendable {
  /// The names of the style sheet's variables with their colours: `0x0072b2`.
  let colours: [(name: String, hex: UInt32)]

  /// Adds a page's own colours to those that it shares with its charts.
  private init(around theme: Theme, _ own: [(name: String, hex: UInt32)]) {
    let (ground, text, faint) = theme.surroundings
    colours = [("ground", ground), ("text", text), ("faint", faint)] + own
  }

  /// The colours for light pages and for print.
  static let light = Palette(
    around: .light,
    [
      ("line", 0xd5dae0), ("raised", 0xf5f7f9), ("link", 0x0060a8), ("good", 0x0b6b3a), ("good-ground", 0xe6f4ec),
      ("suspect", 0x7a4a00),
      ("suspect-ground", 0xfff1d6), ("bad", 0xa3171f), ("bad-ground", 0xfdeaea),
    ])

  /// The colours for readers who prefer dark pages.
  static let dark = Palette(
    around: .dark,
    [
      ("line", 0x3a424a), ("raised", 0x1e2329), ("link", 0x6cb8f0), ("good", 0x7fdcaa), ("good-ground", 0x12301f),
      ("suspect", 0xf5c36b),
      ("suspect-ground", 0x33260b), ("bad", 0xff9d9d), ("bad-ground", 0x3a1517),
    ])

  /// The combinations of text and background colours.
  static let pairs: [(words: String, ground: String)] = [
    ("text", "ground"), ("faint", "ground"), ("link", "ground"), ("text", "raised"), ("faint", "raised"),
    ("link", "raised"), ("good", "good-ground"), ("suspect", "suspect-ground"), ("bad", "bad-ground"),
    ("good", "ground"), ("suspect", "ground"), ("bad", "ground"), ("text", "good-ground"), ("text", "suspect-ground"),
    ("text", "bad-ground"),
  ]

  /// A colour by its name.
  subscript(name: String) -> UInt32 { colours.first { $0.name == name }?.hex ?? 0 }

  /// The colours as the style sheet declares them: `--ground:#ffffff;--text:#1c2126;`.
  var declarations: String {
    colours.map { name, hex in
      let digits = String(hex, radix: 16)
      return "--\(name):#\(String(repeating: "0", count: 6 - digits.count))\(digits);"
    }.joined()
  }
}

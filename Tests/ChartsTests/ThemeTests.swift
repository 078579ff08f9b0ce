import Foundation
import Testing

@testable import Charts

@Suite("Colours")
struct ThemeTests {
  @Test("Words stand out from the ground by 4.5 : 1, series by 3 : 1", arguments: [Theme.light, .dark])
  func contrast(theme: Theme) {
    let ground = theme.colour(of: .ground)
    for ink in [Ink.text, .faintText, .instant, .reference] {
      #expect(theme.colour(of: ink).contrast(with: ground) >= 4.5, "\(ink)")
      #expect(theme.colour(of: ink).contrast(with: theme.colour(of: .span)) >= 4.5, "\(ink) over a span")
    }
    for series in 0..<Theme.seriesCount {
      #expect(theme.colour(of: .series(series)).contrast(with: ground) >= 3, "\(series)")
    }
    #expect(theme.colour(of: .axis).contrast(with: ground) >= 3)
  }

  @Test("So they do over the shading of a stimulus, and over bands", arguments: [Theme.light, .dark])
  func layered(theme: Theme) {
    for ground in [Ink.ground, .span].map({ theme.colour(of: $0) }) {
      for series in 0..<Theme.seriesCount {
        let colour = theme.colour(of: .series(series))
        let band = theme.colour(of: .surface(series)).over(ground)
        #expect(colour.contrast(with: ground) >= 3, "\(series)")
        #expect(colour.contrast(with: band) >= 3, "\(series) over its band")
        for word in [Ink.text, .faintText] {
          #expect(theme.colour(of: word).contrast(with: band) >= 4.5, "\(word) over the band of \(series)")
        }
      }
    }
    let ground = theme.colour(of: .ground)
    for series in 0..<Theme.seriesCount {
      #expect(theme.colour(of: .translucent(series)).over(ground).contrast(with: ground) >= 3, "a mark of \(series)")
    }
  }

  /// Full dichromacy by Machado, Oliveira and Fernandes (2009), in linear light.
  static let visions: [(name: String, matrix: [[Double]])] = [
    ("normal", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    (
      "protanopia",
      [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    (
      "deuteranopia",
      [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    (
      "tritanopia",
      [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
  ]

  @Test("Series are told apart with any kind of colour vision", arguments: [Theme.light, .dark], visions)
  func difference(theme: Theme, vision: (name: String, matrix: [[Double]])) {
    let colours = (0..<Theme.seriesCount).map { theme.colour(of: .series($0)).lab(seenThrough: vision.matrix) }
    for one in colours.indices {
      for other in colours.indices where one < other {
        let distance = zip(colours[one], colours[other]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        // 2.3 is just noticeable; ten is another colour at a glance.
        #expect(distance >= 10, "series \(one) and \(other)")
      }
    }
  }
}

extension Colour {
  private var linear: [Double] {
    [red, green, blue].map { byte in
      let part = Double(byte) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
  }

  /// What is seen of the colour over a solid one.
  func over(_ ground: Colour) -> Colour {
    func mix(_ one: UInt8, _ other: UInt8) -> UInt32 {
      UInt32((Double(one) * opacity + Double(other) * (1 - opacity)).rounded())
    }
    return Colour(mix(red, ground.red) << 16 | mix(green, ground.green) << 8 | mix(blue, ground.blue))
  }

  /// The contrast ratio of WCAG 2.2.
  func contrast(with other: Colour) -> Double {
    func luminance(_ colour: Colour) -> Double {
      zip(colour.linear, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let (one, two) = (luminance(self), luminance(other))
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// CIE L*a*b* under D65.
  func lab(seenThrough matrix: [[Double]]) -> [Double] {
    let seen = matrix.map { row in min(1, max(0, zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 })) }
    func mix(_ weights: [Double], _ white: Double) -> Double {
      let value = zip(weights, seen).reduce(0) { $0 + $1.0 * $1.1 } / white
      return value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116
    }
    let x = mix([0.4124, 0.3576, 0.1805], 0.9505)
    let y = mix([0.2126, 0.7152, 0.0722], 1)
    let z = mix([0.0193, 0.1192, 0.9505], 1.0888)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }
}

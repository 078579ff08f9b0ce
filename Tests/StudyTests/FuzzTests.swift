import Basics
import Foundation
import Study
import TestSupport
import Testing

/// Mutations of the corpus: the reader answers every one of them with a protocol or with problems.
///
/// `STATION_FUZZ_CASES` says how many, `STATION_FUZZ_SEED` which; `Scripts/fuzz protocols` sets them.
@Suite("Protocols changed at random")
struct FuzzTests {
  @Test("No bytes make the reader fail")
  func mutations() throws {
    let environment = ProcessInfo.processInfo.environment
    let cases = environment["STATION_FUZZ_CASES"].flatMap { Int($0) } ?? 2000
    let seed = environment["STATION_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    // Good ones several times, since most changes to bad ones end at the fault that they have already.
    let texts = try (Corpus.allCases + [.good, .good, .good]).flatMap { corpus in
      try corpus.names.map { try corpus.bytes(of: $0) }
    }
    var mutator = Mutator(seed: seed, texts: texts)
    var (read, refused) = (0, 0)
    for number in 0..<cases {
      let text = mutator.next()
      do throws(ProtocolProblems) {
        let found = try StudyProtocolReader.read(text, fileName: "p.json")
        _ = found.problems(with: [])
        read += 1
      } catch {
        let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
        let isPlaced = error.problems.allSatisfy { (1...lines).contains($0.place.line) && $0.place.column >= 1 }
        let isSorted = error.problems.map(\.place) == error.problems.map(\.place).sorted()
        #expect(!error.problems.isEmpty && isPlaced && isSorted, "case \(number) of seed \(seed)")
        refused += 1
      }
    }
    // Mutations that are all refused, or never, would test little.
    #expect(read > cases / 100 && refused > cases / 4, "\(read) read, \(refused) refused")
  }
}

/// Changes texts a little: bytes, pieces of JSON, stretches of other texts.
private struct Mutator {
  private var draws = 0
  private let seed: UInt64
  private let texts: [[UInt8]]
  private let pieces: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "null", "true", "0", "-", "1e308", "1e-320", "0.0001",
      "\"x-\":{", "\"kind\":\"music\",", "\"steps\":[", "🎵", "e\u{301}", "\u{0}", "\n", "\r\n", "/", "~", "\u{FEFF}",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [UInt8](repeating: 0x5B, count: 70)]

  init(seed: UInt64, texts: [[UInt8]]) {
    self.seed = seed
    self.texts = texts
  }

  mutating func next() -> [UInt8] {
    var text = texts[below(texts.count)]
    for _ in 0..<(1 + below(3)) {
      let place = below(text.count + 1)
      let end = min(text.count, place + below(40))
      switch below(7) {
      case 0: text.insert(contentsOf: pieces[below(pieces.count)], at: place)
      case 1: text.removeSubrange(place..<end)
      case 2 where place < text.count: text[place] ^= 1 << UInt8(below(8))
      case 3 where place < text.count: text[place] = UInt8(below(256))
      case 4: text.insert(contentsOf: text[place..<end], at: below(text.count + 1))
      case 5:
        let other = texts[below(texts.count)]
        let start = below(other.count + 1)
        text.replaceSubrange(place..<end, with: other[start..<min(other.count, start + below(60))])
      default: text = Array(text.dropLast(below(3)))
      }
      if text.isEmpty { break }
    }
    return text
  }

  /// A number from a hash of how many were made before: the same everywhere.
  private mutating func below(_ bound: Int) -> Int {
    draws += 1
    var state = UInt64(draws) &* 0x9E37_79B9_7F4A_7C15 ^ seed &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((state ^ state >> 31) >> 1) % bound
  }
}

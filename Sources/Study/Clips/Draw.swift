import Basics

/// One seeded choice among candidates, with everything needed to repeat it.
package struct Draw: Hashable, Sendable, Codable {
  /// The purpose of the draw: the identifier of the music step, from the second trial of a session on with its number (`stimulus/2`).
  ///
  /// Draws for different purposes are independent.
  package var purpose: String
  /// The candidates, in the order of their numbers.
  package var candidates: [String]
  /// The index of the drawn candidate.
  package var index: Int
  /// The seed, at most 2^53 − 1, so that every JSON reader gets the same number.
  package var seed: UInt64
  /// The generator's name, which identifies its algorithm permanently.
  package var generator: String
}

extension Draw {
  /// The name of the generator of new draws.
  ///
  /// The name identifies the algorithm permanently; another algorithm gets another name. It is xoshiro256**, seeded by
  /// SplitMix64 from the seed XOR the FNV-1a hash of the purpose, with unbiased choice by rejection. In Python:
  ///
  /// ```python
  /// def draw(purpose, candidates, seed, mask=2**64 - 1):
  ///     x = 0xCBF29CE484222325
  ///     for byte in purpose.encode():
  ///         x = (x ^ byte) * 0x100000001B3 & mask
  ///     x, s = x ^ seed, []
  ///     for _ in range(4):
  ///         x = x + 0x9E3779B97F4A7C15 & mask
  ///         z = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
  ///         z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
  ///         s.append(z ^ z >> 31)
  ///     rotate = lambda x, k: (x << k | x >> 64 - k) & mask
  ///     names = sorted(candidates, key=str.encode)
  ///     while True:
  ///         number = rotate(s[1] * 5 & mask, 7) * 9 & mask
  ///         a, b, c, d = s[0], s[1], s[2] ^ s[0], s[3] ^ s[1]
  ///         s = [a ^ d, b ^ c, c ^ b << 17 & mask, rotate(d, 45)]
  ///         if number >= 2**64 % len(names):
  ///             return number % len(names), names[number % len(names)]
  /// ```
  package static let generator = "station.xoshiro256starstar/1"

  /// The largest seed: 2^53 − 1, so that every JSON reader gets the same number.
  package static let maxSeed: UInt64 = 1 << 53 - 1

  /// Draws one of the candidates with equal probability.
  ///
  /// - Parameters:
  ///   - purpose: the purpose of the draw; draws for different purposes are independent even with the same seed.
  ///   - candidates: the names, in any order; they are numbered in the order of their UTF-8 bytes.
  ///   - seed: 0 to ``maxSeed``.
  /// - Returns: the draw; the same arguments always give the same draw.
  /// - Precondition: there is a candidate, and the seed is not too large.
  static func make(purpose: String, candidates: [String], seed: UInt64) -> Draw {
    precondition(!candidates.isEmpty, "there is nothing to draw from for “\(purpose)”")
    precondition(seed <= maxSeed, "a seed is at most 2^53 − 1")
    var random = generator(for: purpose, seed: seed)
    return Draw(
      purpose: purpose,
      candidates: candidates.sorted { $0.precedes($1) },
      index: Int(random.next(below: UInt64(candidates.count))),
      seed: seed,
      generator: generator)
  }

  /// The generator of the draws for one purpose.
  ///
  /// - Parameters:
  ///   - purpose: the purpose; generators for different purposes are independent even with the same seed.
  ///   - seed: 0 to ``maxSeed``.
  /// - Returns: the generator before its first number.
  static func generator(for purpose: String, seed: UInt64) -> Xoshiro256StarStar {
    Xoshiro256StarStar(seed: seed ^ fnv1a64(purpose))
  }

  /// The drawn name; `nil` for an inconsistent record.
  package var drawn: String? { candidates.indices.contains(index) ? candidates[index] : nil }

  /// Repeats the draw from its purpose, candidates and seed.
  ///
  /// `nil` if it is not repeatable: it has another generator, no candidates, or a seed above ``maxSeed``.
  package func repeated() -> Draw? {
    guard generator == Self.generator, !candidates.isEmpty, seed <= Self.maxSeed else { return nil }
    return Self.make(purpose: purpose, candidates: candidates, seed: seed)
  }

  /// Whether repeating the draw reproduces the record exactly: the same order of candidates and the same choice.
  package var holds: Bool { repeated() == self }
}

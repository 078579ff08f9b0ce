@testable import Sensors

/// The measurement service of a Polar H10 that is not there: what its control point answers.
enum PretendedPolar {
  /// What it offers: the electrocardiogram at 130 Hz with 14 bits, and the acceleration at 25 to 200 Hz with 16 bits of 2,
  /// 4 or 8 g.
  private static let offers: [PolarMeasurement.Kind: [UInt8]] = [
    .electrocardiogram: [0, 1, 130, 0, 1, 1, 14, 0],
    .acceleration: [0, 4, 25, 0, 50, 0, 100, 0, 200, 0, 1, 1, 16, 0, 2, 3, 2, 0, 4, 0, 8, 0],
  ]

  /// Answers a command.
  ///
  /// - Parameters:
  ///   - bytes: the command, of two bytes at least.
  ///   - running: the measurements that are running; the command starts or ends one.
  /// - Returns: the answer.
  static func answer(_ bytes: [UInt8], _ running: inout Set<PolarMeasurement.Kind>) -> [UInt8] {
    let kind = PolarMeasurement.Kind(rawValue: bytes[1])
    let offer = kind.flatMap { offers[$0] } ?? []
    var answer: [UInt8] = [0xF0, bytes[0], bytes[1], kind == nil ? 3 : 0, 0]
    switch (bytes[0], kind) {
    case (1, _): answer += offer
    case (2, let kind?):
      if accepts(bytes[2...], offer) { running.insert(kind) } else { answer[3] = 5 }
    case (3, let kind?): running.remove(kind)
    case (2...3, nil): break
    default: answer[3] = 1
    }
    return answer
  }

  /// Whether each setting of an offer was chosen once, with a value that it has.
  private static func accepts(_ choice: ArraySlice<UInt8>, _ offer: [UInt8]) -> Bool {
    var (choice, offer) = (choice, offer[...])
    while offer.count >= 2 {
      let (setting, count) = (offer[offer.startIndex], Int(offer[offer.startIndex + 1]))
      let values = Array(offer.dropFirst(2).prefix(2 * count))
      guard choice.count >= 4, choice.prefix(2).elementsEqual([setting, 1]) else { return false }
      let chosen = Array(choice.dropFirst(2).prefix(2))
      guard (0..<count).contains(where: { Array(values[2 * $0..<2 * $0 + 2]) == chosen }) else { return false }
      (choice, offer) = (choice.dropFirst(4), offer.dropFirst(2 + 2 * count))
    }
    return choice.isEmpty
  }
}

import Basics
import Quantities

extension TimeZone {
  /// A time as bundles write it, followed by local time.
  func words(_ time: WallTime?) -> Words {
    guard let time else { return .none }
    return Words("\(time)", .code) + Words(" · \(plainText(time)) (\(name))")
  }

  /// A time as `2026-11-20 15:30`, for tables.
  func brief(_ time: WallTime?) -> Words {
    guard let time else { return .none }
    return Words(String(plainText(time).prefix(16)), .unbroken)
  }
}

import Basics
import Quantities

extension TimeZone {
  /// A time as bundles write it, followed by local time.
  func words(_ time: WallTime?) -> StyledText {
    guard let time else { return .none }
    return StyledText("\(time)", .code) + StyledText(" · \(plainText(time)) (\(name))")
  }

  /// A time as `2026-11-20 15:30`, for tables.
  func brief(_ time: WallTime?) -> StyledText {
    guard let time else { return .none }
    return StyledText(String(plainText(time).prefix(16)), .unbroken)
  }
}

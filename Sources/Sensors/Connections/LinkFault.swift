import Basics

/// Why a connection could not be made or was lost.
struct LinkFault: Error, Hashable {
  let reason: String
  /// Whether another attempt cannot succeed until the operator changes the address or the sender.
  let isFinal: Bool

  init(_ reason: String, isFinal: Bool = false) { (self.reason, self.isFinal) = (reason, isFinal) }

  /// Creates a fault from a failed action and the system's reason.
  init(_ action: String, _ code: Int32) { self.init("\(action): \(systemReason(code))") }
}

/// The system's description of an error number: `Connection refused`.
func systemReason(_ code: Int32) -> String { FileError("", "", code: code).reason }

package import Quantities

/// A device that takes codes at set moments.
package protocol CodeOutput: Sendable {
  /// Its address, as the operator wrote it.
  var name: String { get }

  /// Has a code sent at a moment, or now where that has passed.
  ///
  /// - Parameters:
  ///   - code: the code.
  ///   - moment: when.
  ///   - report: told once what became of it, on any thread.
  /// - Returns: the number with which ``cancel(_:)`` takes it back.
  func send(_ code: UInt8, at moment: Moment, report: @escaping @Sendable (MarkerDelivery) -> Void) -> Int

  /// Takes a code back that was not sent yet, of which nothing is reported then.
  func cancel(_ number: Int)

  /// Closes the device; codes that wait are not sent.
  func close()
}

/// What became of a marker.
package enum MarkerDelivery: Hashable, Sendable {
  /// It was handed over at a moment between the beginning and the end of the system call.
  case sent(MeasuredMoment)
  /// It could not be sent.
  case failed(reason: String)
}

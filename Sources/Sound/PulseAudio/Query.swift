import CPulse
import Synchronization

/// The data gathered by a query.
struct Answer: Sendable {
  var server = ServerFacts()
  var sinks: [SinkFacts] = []
  var inputs: [InputFacts] = []
  var sources: [SourceFacts] = []
}

/// A pending query, retained by its operation until that is done or cancelled.
final class Query: Sendable {
  typealias Completion = @Sendable (Result<Answer, SoundServerError>) -> Void

  private let action: String
  private let completion: Completion
  private let answer = Mutex(Answer())

  private init(_ action: String, _ completion: @escaping Completion) {
    self.action = action
    self.completion = completion
  }

  /// Sends a query; called with PulseAudio's lock held.
  ///
  /// - Parameters:
  ///   - action: the action, for messages.
  ///   - context: the connection.
  ///   - begin: sends the request and returns its operation; the request's callbacks get this query.
  ///   - then: called once, on PulseAudio's thread or immediately.
  static func begin(
    _ action: String, on context: OpaquePointer, _ begin: (UnsafeMutableRawPointer) -> OpaquePointer?,
    then: @escaping Completion
  ) {
    let query = Retained(Query(action, then))
    guard let operation = unsafe begin(query.pointer) else {
      query.object.fail(code: unsafe pa_context_errno(context))
      query.release()
      return
    }
    unsafe pa_operation_set_state_callback(operation, operationChanged, query.pointer)
    unsafe pa_operation_unref(operation)
  }

  func gather(_ piece: (inout Answer) -> Void) { answer.withLock { piece(&$0) } }
  fileprivate func finish() { completion(.success(answer.withLock { $0 })) }
  fileprivate func fail(code: Int32) { completion(.failure(SoundServerError(action: action, code: code))) }
}

private func operationChanged(_ operation: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
  let query = unsafe Retained<Query>.object(pointer)
  switch unsafe pa_operation_get_state(operation) {
  case PA_OPERATION_DONE: query.finish()
  case PA_OPERATION_CANCELLED: query.fail(code: Int32(PA_ERR_CONNECTIONTERMINATED.rawValue))
  default: return
  }
  Retained<Query>.release(query)
}

import CPulse
import Study

/// The programs that play through the sink of our stream.
struct OtherPrograms: Hashable, Sendable {
  /// Whether a query is pending.
  var isAsked = false
  /// Whether something changed after the query was sent.
  var isOutdated = false
  /// Their names, as last reported by the server.
  var names: [String] = []
  /// The programs already reported during the current stimulus.
  var told: Set<String> = []
}

extension HeldStream {
  /// Queries the other programs that play to the sink, if a stimulus is playing; one query at a time.
  func askForOthers() {
    guard isPlaying, let stream = unsafe state.pointee.stream, let context = unsafe pa_stream_get_context(stream) else {
      return
    }
    guard unsafe !state.pointee.others.isAsked else { return unsafe state.pointee.others.isOutdated = true }
    unsafe state.pointee.others.isAsked = true
    let (sink, client) = unsafe (pa_stream_get_device_index(stream), pa_context_get_index(context))
    unsafe Query.begin("ask the server what else is playing", on: context) { pointer in
      unsafe pa_context_get_sink_input_info_list(context, inputAnswered, pointer)
    } then: { [weak self] result in
      let inputs = (try? result.get())?.inputs ?? []
      self?.take(others: inputs.filter { $0.sink == sink && $0.client != client && $0.isOpen }.map(\.program))
    }
  }

  private func take(others names: [String]) {
    unsafe state.pointee.others.isAsked = false
    unsafe state.pointee.others.names = names
    if unsafe state.pointee.others.isOutdated {
      unsafe state.pointee.others.isOutdated = false
      askForOthers()
    }
    tellOthers()
  }

  /// Reports each program once while the stimulus sounds; a program that ended before the onset did not disturb it.
  func tellOthers() {
    guard unsafe state.pointee.performance?.playout.isSounding == true else { return }
    for name in unsafe state.pointee.others.names where unsafe state.pointee.others.told.insert(name).inserted {
      disturbed(.otherProgram(name))
    }
  }
}

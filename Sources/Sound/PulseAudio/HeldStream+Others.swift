import CPulse
import Study

/// The programs that play through the same sink as a stream of ours.
struct OtherPrograms: Hashable, Sendable {
  /// Whether the server was asked for them and has not answered.
  var isAsked = false
  /// Whether something changed after the question.
  var isOutdated = false
  /// Their names, as the server told last.
  var names: [String] = []
  /// Those that were reported during the stimulus under way.
  var told: Set<String> = []
}

extension HeldStream {
  /// Asks who else plays to the sink, where a stimulus is under way; one question at a time.
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

  /// Reports each program once, while the stimulus sounds: what ended before its onset did not disturb it.
  func tellOthers() {
    guard unsafe state.pointee.performance?.playout.isSounding == true else { return }
    for name in unsafe state.pointee.others.names where unsafe state.pointee.others.told.insert(name).inserted {
      disturbed(.otherProgram(name))
    }
  }
}

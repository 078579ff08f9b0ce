import CPulse
import Quantities
import Study

extension HeldStream {
  /// Queries the sink and the volume of the stream; an inaudible output and another sink than wanted are errors.
  ///
  /// - Parameters:
  ///   - connection: the stream's connection.
  ///   - volume: the volume that others are disturbances of; `nil` takes the first.
  /// - Returns: the sink and the volume.
  /// - Throws: ``SoundServerError``.
  func checkOutput(on connection: PulseConnection, volume: SpeakerVolume?) async throws -> OutputFacts {
    let answer = Awaited<OutputFacts>()
    let output = try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { [patience] in
        try await MonotonicClock().sleep(for: patience.answer)
        answer.finish(.failure(Self.noAnswer))
      }
      return try await answer.wait {
        connection.locked {
          askForOutput { [self] result in
            if case .success(let output) = result { take(output) }
            answer.finish(result.mapError { $0 })
          }
        }
      }
    }
    if let silence = output.silence { throw silence }
    return try connection.locked {
      let wanted = unsafe state.pointee.station.sink
      guard output.sink.name == wanted else { throw Self.astray(output.sink.name, insteadOf: wanted) }
      unsafe state.pointee.reference = state.pointee.reference ?? volume ?? output.volume
      return output
    }
  }

  /// Handles a change of a sink or stream; if it is ours, queries the server.
  func outputChanged(_ facility: pa_subscription_event_type_t, index: UInt32) {
    guard let stream = unsafe state.pointee.stream, unsafe pa_stream_get_state(stream) == PA_STREAM_READY
    else { return }
    let isOurs =
      switch facility {
      case PA_SUBSCRIPTION_EVENT_SINK: unsafe index == pa_stream_get_device_index(stream)
      case PA_SUBSCRIPTION_EVENT_SINK_INPUT: unsafe index == pa_stream_get_index(stream)
      default: false
      }
    if facility == PA_SUBSCRIPTION_EVENT_SINK_INPUT, !isOurs { askForOthers() }
    guard isOurs else { return }
    askForOutput { [weak self] result in
      if case .success(let output) = result { self?.take(output) }
    }
  }

  /// Records the output, and reports its effect on the current stimulus.
  private func take(_ output: OutputFacts) {
    let (old, new) = unsafe (state.pointee.volume, output.volume)
    unsafe state.pointee.volume = new
    unsafe state.pointee.silence = output.silence
    unsafe state.pointee.station.resolution = Self.resolution(of: format, on: output.sink)
    guard let old, old != new else { return }
    if old.isSilent != new.isSilent { disturbed(new.isSilent ? .muted : .unmuted) }
    if !new.isSilent, unsafe !old.isSilent || new != state.pointee.reference { disturbed(.volumeChanged(to: new)) }
  }

  /// Handles the server's move of the stream to another sink, which the station had asked it not to do.
  func moved(to sink: String) {
    if isPlaying { return disturbed(.moved(to: sink)) }
    let wanted = unsafe state.pointee.station.sink
    unsafe state.pointee.failure = Self.astray(sink, insteadOf: wanted)
    close()
  }

  private static let noAnswer = SoundServerError(
    action: "ask how loud the sink is", reason: "the sound server does not answer",
    advice: "see whether `pactl info` answers, and start PulseAudio again if not")

  private static func astray(_ sink: String, insteadOf wanted: String) -> SoundServerError {
    SoundServerError(
      action: "play through “\(wanted)”", reason: "the sound server has moved the stream to “\(sink)”",
      advice: "move it back, or choose that sink with --speaker “\(sink)”")
  }
}

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

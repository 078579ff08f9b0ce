import Quantities

/// How far the start of a sensor's waveforms has come.
struct WaveformStart: Hashable, Sendable {
  enum Stage: Hashable, Sendable {
    case idle, openingControl, openingData, asking, starting, running
  }

  var stage = Stage.idle
  /// Since when an answer is waited for; `nil` where none is.
  var since: Moment?
  /// The measurements that are still to be started, the current one first.
  var left: [PolarMeasurement.Kind] = []
}

extension BluetoothMachine {
  /// Starts the waveforms that were asked for: subscribes to the control point and the data, asks what the sensor offers, and
  /// starts each measurement with what was chosen from that.
  mutating func startWaveforms(at now: Moment) {
    guard !settings.waveforms.isEmpty, waveforms.stage == .idle else { return }
    waveforms.left = BluetoothSettings.Waveform.allCases.filter(settings.waveforms.contains).map(\.kind)
    guard characteristic(BluetoothIdentifier.polarControl) != nil,
      characteristic(BluetoothIdentifier.polarData) != nil
    else {
      fail("it has no measurement service of Polar's; the H10 has one")
      return
    }
    open(BluetoothIdentifier.polarControl, .openingControl, at: now)
  }

  private mutating func open(_ identifier: String, _ stage: WaveformStart.Stage, at now: Moment) {
    guard let path = characteristic(identifier) else { return fail("it is gone") }
    (waveforms.stage, waveforms.since) = (stage, now)
    call(.openWaveforms(identifier: identifier), path, BluezObjects.Interface.characteristic, "StartNotify")
  }

  private mutating func write(_ bytes: [UInt8], _ stage: WaveformStart.Stage, at now: Moment) {
    guard let path = characteristic(BluetoothIdentifier.polarControl) else { return fail("it is gone") }
    (waveforms.stage, waveforms.since) = (stage, now)
    call(
      .command, path, BluezObjects.Interface.characteristic, "WriteValue",
      [
        BusArgument("ay", .bytes(bytes)),
        BusArgument("a{sv}", .dictionary(["type": .variant("s", .string("request"))])),
      ])
  }

  private mutating func fail(_ reason: String) {
    let name = waveforms.left.first?.name ?? "waveforms"
    waveforms = WaveformStart(stage: .running)
    actions.append(.noted("sends no \(name): \(reason)"))
  }

  /// An answer does not come.
  mutating func giveUpWaveforms() { fail("no answer") }

  private mutating func next(at now: Moment) {
    guard let kind = waveforms.left.first else {
      (waveforms.stage, waveforms.since) = (.running, nil)
      return
    }
    write(PolarControl.question(kind), .asking, at: now)
  }

  /// Takes the answer to a call that started waveforms; `error` is its text where it was refused.
  mutating func answeredWaveforms(_ purpose: Purpose, error: String?, at now: Moment) {
    if let error, !error.contains("In Progress") {
      // A strap that is only being tried out by two programs must not lose its heart rate for it.
      if waveforms.stage != .running { fail(error) }
      return
    }
    switch (purpose, waveforms.stage) {
    case (.openWaveforms, .openingControl): open(BluetoothIdentifier.polarData, .openingData, at: now)
    case (.openWaveforms, .openingData): next(at: now)
    default: break
    }
  }

  /// Takes a value of the measurement service.
  mutating func takeWaveforms(_ value: [UInt8], of path: String, at now: Moment) {
    if path == characteristic(BluetoothIdentifier.polarData) {
      actions.append(.waveform(value))
      return
    }
    guard path == characteristic(BluetoothIdentifier.polarControl), let answer = PolarControl.Answer(value),
      let kind = waveforms.left.first, answer.kind == kind.rawValue
    else { return }
    switch (waveforms.stage, answer.command) {
    case (.asking, 1):
      guard answer.status == 0 else { return fail(answer.reason) }
      let choice = PolarControl.choice(from: answer.offer, rate: kind.rate)
      let rate = choice[PolarControl.rate] ?? kind.rate
      guard rate > 0 else { return fail("it offers no sampling rate above zero") }
      actions.append(.measures(kind, rate: rate))
      write(PolarControl.start(kind, choice), .starting, at: now)
    case (.starting, 2):
      // 6: another program started it, and this one hears it too.
      guard answer.status == 0 || answer.status == 6 else { return fail(answer.reason) }
      waveforms.left.removeFirst()
      next(at: now)
    default: break
    }
  }
}

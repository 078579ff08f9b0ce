import Basics
import Quantities

extension SerialKind {
  private static let inputs = (1...6).map { "a\($0)" }

  /// The frames of a BITalino; `a1` to `a6` name what is measured at its inputs, as in `a2=electrocardiogram`.
  package static let bitalino = SerialKind(
    name: "bitalino", title: "frames of a BITalino", words: ["bitalino", "plux"], rate: 1000,
    options: ["rate_hz"] + inputs,
    read: { reader, options, settings throws(SensorError) in
      if let text = options["rate_hz"] {
        settings.rate = try reader.number("rate_hz", text, 1...1000)
        guard BitalinoCommand.rate(settings.rate) != nil else {
          throw reader.error("rate_hz is “\(text)”", "a BITalino knows 1, 10, 100 and 1000")
        }
      }
      for (index, input) in inputs.enumerated() {
        guard let text = options[input] else { continue }
        let known = BitalinoDecoder.types
        guard let type = QuantityType(channel: text), known.contains(type) else {
          throw reader.error(
            "a BITalino's input cannot be “\(text)”", Spelling.advice(for: text, among: known.map(\.channelName)))
        }
        settings.inputs.append(.init(number: index + 1, type: type))
      }
      guard !settings.inputs.isEmpty else {
        throw reader.error("what the BITalino measures is missing", "say at which input, as in a2=electrocardiogram")
      }
    },
    channels: { settings in
      settings.inputs.map { Channel($0.type, rate: $0.type.isWaveform ? settings.rate : BitalinoDecoder.slowRate) }
    },
    decoder: { BitalinoDecoder($0.inputs, rate: $0.rate, latency: $1, after: $2) },
    commands: { settings in
      // After a crash it may still send.
      Commands(
        setUp: [BitalinoCommand.stop] + [BitalinoCommand.rate(settings.rate)].compactMap(\.self),
        begin: BitalinoCommand.start(settings.inputs.map(\.number)), end: BitalinoCommand.stop)
    },
    sends: { bytes in
      (1...6).contains { BitalinoFrame.count(in: bytes, inputs: $0) * BitalinoFrame.size($0) > bytes.count / 2 }
    })
}

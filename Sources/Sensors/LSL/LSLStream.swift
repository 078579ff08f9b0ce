import Basics
import Quantities

/// What a stream of the Lab Streaming Layer says of itself; its XML is read by liblsl.
struct LSLStream: Hashable, Sendable {
  /// A channel of its description.
  struct Label: Hashable, Sendable {
    var label = ""
    var type = ""
    var unit = ""
  }

  /// The most channels that are recorded.
  static let maxChannels = WaveformFormat.maxChannels

  var name = ""
  var type = ""
  var source = ""
  var host = ""
  /// What tells it from all others, also from an earlier one of the same program.
  var identifier = ""
  /// The number of channels.
  var count = 1
  /// The nominal number of frames per second, in Hz; zero for a stream without one.
  var rate = 0.0
  /// Whether the values are texts.
  var isOfTexts = false
  /// The described channels, which may be fewer or more than there are.
  var labels: [Label] = []

  /// Whether it comes from the same device: their sources tell, or without one their names, types and computers.
  func isOfSameDevice(as other: LSLStream) -> Bool {
    guard source.isEmpty, other.source.isEmpty else { return source == other.source }
    return (name, type, host) == (other.name, other.type, other.host)
  }

  /// What is recorded of each of its channels; `nil` for one that is not.
  ///
  /// In streams “g” is an acceleration's gravity, not a gram, and is refused.
  ///
  /// - Parameter chosen: the quantities by place, as the operator wrote them; empty to go by the description.
  /// - Returns: a quantity with its unit for each channel, or why there is none.
  func channels(choosing chosen: [QuantityType?]) -> Result<[Channel?], LinkFault> {
    guard (1...Self.maxChannels).contains(count) else {
      return .failure(LinkFault("\(title) has \(count) channels"))
    }
    // One waveform stands for all channels, its leads.
    let chosen = chosen.count == 1 && chosen[0]?.isWaveform == true ? Array(repeating: chosen[0], count: count) : chosen
    guard chosen.count <= count else {
      return .failure(LinkFault("\(title) has \(count.counted("channel")), fewer than quantity= names"))
    }
    let channels = (0..<count).map { place -> Channel? in
      let label = place < labels.count ? labels[place] : Label()
      let named: QuantityType?
      if chosen.isEmpty {
        // The stream's type is that of every lead of a wave, and of a single value.
        let common = QuantityWords.quantity(type).flatMap { $0.isWaveform || count == 1 ? $0 : nil }
        named =
          QuantityWords.quantity(label.label) ?? QuantityWords.quantity(label.type) ?? common
          ?? (count == 1 ? QuantityWords.quantity(name) : nil)
      } else {
        named = place < chosen.count ? chosen[place] : nil
      }
      guard let named else { return nil }
      return Channel(named, unit: named.unit(written: label.unit), rate: rate > 0 ? rate : nil)
    }
    for (label, channel) in zip(labels, channels) where !QuantityType.isUnstated(unit: label.unit) {
      // The values would be taken for ones in the quantity's own unit; that of some waves is the sensor's.
      if let channel, channel.type.unit(written: label.unit) == nil, !channel.type.isOfArbitraryUnit {
        return .failure(
          LinkFault(
            "\(title) has \(channel.type.channelName) in “\(String(label.unit.prefix(40)).visible)”, which is not one of "
              + "its units; have its program send \(channel.type.defaultUnit), or leave this quantity out with quantity="
          ))
      }
    }
    if channels.allSatisfy({ $0 == nil }) {
      let names = labels.prefix(8).map { $0.label.isEmpty ? $0.type : $0.label }.filter { !$0.isEmpty }
      let list = names.isEmpty ? "" : " and channels \(names.map { "“\($0.visible)”" }.joined(separator: ", "))"
      return .failure(
        LinkFault("\(title) has the type “\(type.visible)”\(list), which name no quantity; say quantity=NAME"))
    }
    let waveforms = Set(channels.compactMap { $0?.type }.filter(\.isWaveform))
    guard waveforms.isEmpty || WaveformFormat.rates.contains(rate) else {
      return .failure(
        LinkFault("\(title) has no regular rate, which \(waveforms.map(\.channelName).sorted()[0]) needs"))
    }
    return .success(channels)
  }

  /// What it is called in messages.
  var title: String { "the stream “\(name.visible)”" }
}

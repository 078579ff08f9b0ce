import Basics

/// A search for streams of the Lab Streaming Layer.
enum LSLSearch {
  /// How long streams have to answer, in seconds.
  private static let patience = 1.0

  /// Searches.
  ///
  /// - Returns: the streams, by name.
  /// - Throws: ``LinkFault`` where the library is not installed.
  static func run() async throws(LinkFault) -> [ReachableSensor] {
    let found: Result<[LSLStream], LinkFault> = await WaitingThread.run {
      Result { () throws(LinkFault) in
        try LSLLibrary.open()
        return LSLLibrary.streams(matching: nil, seconds: patience).map(\.stream)
      }
    }
    let streams = try found.get()
    return streams.sorted { ($0.name, $0.host) < ($1.name, $1.host) }.map { stream in
      let namesakes = streams.filter { $0.name == stream.name }.count
      var address = AddressReader.predicate(ofName: stream.name) ?? "source_id='\(stream.source)'"
      if namesakes > 1 { address += " and hostname='\(stream.host)'" }
      let isPlain = namesakes == 1 && stream.name.allSatisfy { $0.isLetter || $0.isNumber || " -_.".contains($0) }
      return ReachableSensor(
        .lsl, "\(stream.name.visible) (\(stream.type.visible), \(stream.host.visible))",
        "lsl:\(isPlain ? stream.name : address)")
    }
  }
}

import Basics

extension LSLSearch {
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
    let streams = distinct(try found.get())
    return zip(streams, addresses(of: streams)).map { stream, address in
      ReachableSensor(.lsl, "\(stream.name.visible) (\(stream.type.visible), \(stream.host.visible))", address)
    }
  }
}

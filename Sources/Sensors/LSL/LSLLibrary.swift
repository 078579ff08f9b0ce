import Basics
import CLSL
import Glibc

/// The library of the Lab Streaming Layer, which is opened when a stream is looked for or offered.
enum LSLLibrary {
  /// Opens the library.
  ///
  /// - Parameter variables: the variables of the environment; `LSL_LIBRARY` names the library's file.
  /// - Throws: ``LinkFault`` where it is not installed.
  static func open(_ variables: (String) -> String? = variable) throws(LinkFault) {
    var reason = [CChar](repeating: 0, count: 512)
    let paths = paths(variables)
    var copies = unsafe paths.map { unsafe UnsafePointer<CChar>(strdup($0)) } + [nil]
    defer { unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    guard unsafe clsl_open(&copies, &reason, reason.count, isConfigured(variables) ? nil : "[log]\nlevel = -2\n") == 0
    else {
      let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw LinkFault(
        "cannot load liblsl, the library of the Lab Streaming Layer: \(text.visible); install it, or run pip install "
          + "pylsl and name its file in the variable LSL_LIBRARY")
    }
  }

  /// Whether the user has configured the library; without that it is told to report errors only.
  private static func isConfigured(_ variables: (String) -> String?) -> Bool {
    let folders = [".", variables("HOME").map { "\($0)/lsl_api" }, "/etc/lsl_api"].compactMap(\.self)
    return variables("LSLAPICFG") != nil || folders.contains { Folder.exists("\($0)/lsl_api.cfg") }
  }

  /// A variable of the environment.
  static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

  /// Where the library is looked for: the file that was named, or else the system's folders and Python's environments.
  static func paths(_ variables: (String) -> String?) -> [String] {
    if let named = variables("LSL_LIBRARY"), !named.isEmpty { return [named] }
    let user = variables("HOME").map { ["\($0)/.local"] } ?? []
    let roots = ["VIRTUAL_ENV", "CONDA_PREFIX"].compactMap(variables) + user + ["/usr/local"]
    let wheels = roots.flatMap { root in
      let versions = ((try? Folder.names(in: "\(root)/lib")) ?? []).filter { $0.hasPrefix("python3") }.sorted()
      return versions.flatMap { version in
        ["site-packages", "dist-packages"].map { "\(root)/lib/\(version)/\($0)/pylsl/lib/liblsl.so" }
      }
    }
    return ["liblsl.so.2", "liblsl.so", "/usr/local/lib/liblsl.so"] + wheels.filter { Folder.exists($0) }
  }

  /// The streams that match a predicate.
  ///
  /// - Parameters:
  ///   - predicate: the predicate; `nil` for every stream.
  ///   - least: how many are waited for.
  ///   - seconds: how long they are waited for.
  /// - Returns: what they say of themselves.
  static func streams(matching predicate: String?, least: Int = 1, seconds: Double) -> [LSLInfo] {
    var found = unsafe [clsl_info?](repeating: nil, count: 256)
    let count: Int32
    if let predicate {
      unsafe count = clsl_resolve(&found, Int32(found.count), predicate, Int32(least), seconds)
    } else {
      unsafe count = clsl_resolve_all(&found, Int32(found.count), seconds)
    }
    return (0..<max(0, Int(count))).compactMap { index in unsafe found[index].map { unsafe LSLInfo($0) } }
  }
}

/// What is known of a stream of the network, or what a stream to be offered says of itself.
@safe final class LSLInfo {
  let handle: clsl_info

  init(_ handle: clsl_info) { unsafe self.handle = handle }

  /// A stream that an XML header describes; `nil` where the library does not read it.
  convenience init?(xml: String) {
    guard let handle = unsafe clsl_info_read(xml) else { return nil }
    unsafe self.init(handle)
  }

  deinit { unsafe clsl_info_free(handle) }

  /// What it says of itself, with as many channels as the station can record.
  var stream: LSLStream {
    var stream = LSLStream()
    unsafe stream.name = Self.text(clsl_name(handle))
    unsafe stream.type = Self.text(clsl_type(handle))
    unsafe stream.source = Self.text(clsl_source(handle))
    unsafe stream.host = Self.text(clsl_host(handle))
    unsafe stream.identifier = Self.text(clsl_identifier(handle))
    unsafe stream.count = Int(clsl_channels(handle))
    unsafe stream.rate = clsl_rate(handle)
    unsafe stream.isOfTexts = clsl_format(handle) == clsl_strings
    var channel = unsafe clsl_first_channel(handle)
    while unsafe clsl_is_empty(channel) == 0, stream.labels.count < min(stream.count, LSLStream.maxChannels) {
      unsafe stream.labels.append(
        LSLStream.Label(
          label: Self.text(clsl_text(channel, "label")), type: Self.text(clsl_text(channel, "type")),
          unit: Self.text(clsl_text(channel, "unit"))))
      unsafe channel = clsl_next_channel(channel)
    }
    return stream
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String {
    unsafe text.map { unsafe String(cString: $0) } ?? ""
  }
}

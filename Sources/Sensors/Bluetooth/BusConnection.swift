import CSystemd
import Glibc

/// A connection to a bus of D-Bus, for one thread.
///
/// It is libsystemd's sd-bus: https://www.freedesktop.org/software/systemd/man/latest/sd-bus.html
@safe struct BusConnection: ~Copyable {
  /// The calls that have not been answered, by their numbers.
  private var calls: [Int: csystemd_message] = unsafe [:]
  private var lastCall = 0
  private let handle: csystemd_bus

  /// Connects.
  ///
  /// - Parameter address: the bus, such as `unix:path=/run/dbus/system_bus_socket`; `nil` for the system's, or the one that
  ///   the variable DBUS_SYSTEM_BUS_ADDRESS names.
  /// - Throws: ``LinkFault`` with the reason.
  init(_ address: String? = nil) throws(LinkFault) {
    if let problem = unsafe csystemd_open() {
      throw unsafe LinkFault("cannot load libsystemd: \(String(cString: problem)); run apt install libsystemd0")
    }
    var bus: csystemd_bus?
    let code = unsafe csystemd_bus_connect(&bus, address)
    guard code >= 0, let bus = unsafe bus else {
      let fault = LinkFault("cannot connect to the system's message bus (D-Bus)", -code)
      throw LinkFault("\(fault.reason); install dbus and bluez, and run systemctl start dbus bluetooth")
    }
    unsafe handle = unsafe bus
  }

  deinit {
    unsafe calls.values.forEach { unsafe csystemd_message_free($0) }
    unsafe csystemd_bus_close(handle)
  }

  /// The descriptor to wait for.
  var descriptor: Int32 { unsafe csystemd_bus_descriptor(handle) }

  /// What to wait for, as `poll` names it.
  var events: Int { Int(max(0, unsafe csystemd_bus_events(handle))) }

  /// The time of the monotonic clock, in nanoseconds, at which ``next()`` is to be called at the latest; `nil` for none.
  var deadline: Int64? {
    let deadline = unsafe csystemd_bus_deadline(handle)
    return deadline < UInt64(Int64.max / 1000) ? Int64(deadline) * 1000 : nil
  }

  /// The next message that has arrived; `nil` where there is none.
  ///
  /// - Throws: ``LinkFault`` once the connection is closed.
  mutating func next() throws(LinkFault) -> BusMessage? {
    while true {
      var message: csystemd_message?
      let code = unsafe csystemd_bus_process(handle, &message)
      guard code >= 0 else { throw LinkFault("the message bus (D-Bus) closed the connection", -code) }
      guard code > 0 else { return nil }
      guard let message = unsafe message else { continue }
      if let read = unsafe take(message) { return read }
    }
  }

  /// Sends a call.
  ///
  /// - Returns: the number that its answer will carry.
  mutating func call(
    _ name: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = []
  ) throws(LinkFault) -> UInt64 {
    var message: csystemd_message?
    return try unsafe send(csystemd_call_new(handle, &message, name, path, interface, member), message, arguments)
  }

  /// Sends a signal.
  mutating func signal(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument]
  ) throws(LinkFault) {
    var message: csystemd_message?
    _ = try unsafe send(csystemd_signal_new(handle, &message, path, interface, member), message, arguments)
  }

  /// Answers a call.
  mutating func answer(_ number: Int, _ arguments: [BusArgument] = []) throws(LinkFault) {
    guard let call = unsafe calls.removeValue(forKey: number) else { return }
    defer { unsafe csystemd_message_free(call) }
    var message: csystemd_message?
    _ = try unsafe send(csystemd_answer_new(call, &message), message, arguments)
  }

  /// Answers a call with an error.
  mutating func refuse(_ number: Int, _ name: String, _ text: String) throws(LinkFault) {
    guard let call = unsafe calls.removeValue(forKey: number) else { return }
    defer { unsafe csystemd_message_free(call) }
    var message: csystemd_message?
    _ = try unsafe send(csystemd_refusal_new(call, &message, name, text), message, [])
  }

  private func send(_ code: Int32, _ message: csystemd_message?, _ arguments: [BusArgument]) throws(LinkFault)
    -> UInt64
  {
    var (code, cookie) = (code, UInt64(0))
    if code >= 0, let message = unsafe message {
      defer { unsafe csystemd_message_free(message) }
      for argument in arguments where code >= 0 {
        code = unsafe BusWriter(message).append(argument.value, argument.signature[...])
      }
      if code >= 0 { code = unsafe csystemd_bus_send(handle, message, &cookie) }
    }
    guard code >= 0 else { throw LinkFault("cannot send to the message bus (D-Bus)", -code) }
    return cookie
  }

  /// Reads a message and frees it, unless it is a call, which waits for its answer; `nil` for one without meaning to us.
  private mutating func take(_ message: csystemd_message) -> BusMessage? {
    let kind = unsafe csystemd_message_kind(message)
    defer { if kind != 1 { unsafe csystemd_message_free(message) } }
    let answered = unsafe csystemd_message_answered(message)
    var read: BusMessage
    switch kind {
    case 1:
      lastCall += 1
      unsafe calls[lastCall] = message
      read = BusMessage(kind: .call(lastCall))
    case 2: read = BusMessage(kind: .answer(to: answered))
    case 3:
      read = BusMessage(
        kind: .refusal(
          of: answered, name: unsafe Self.text(csystemd_message_error_name(message)),
          text: unsafe Self.text(csystemd_message_error_text(message))))
    case 4: read = BusMessage(kind: .signal)
    default: return nil
    }
    read.path = unsafe Self.text(csystemd_message_path(message))
    read.interface = unsafe Self.text(csystemd_message_interface(message))
    read.member = unsafe Self.text(csystemd_message_member(message))
    read.body = unsafe BusReader(message).values()
    return read
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }
}

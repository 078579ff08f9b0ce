import Testing

@testable import Sensors

@Suite("Addresses of outputs for markers")
struct MarkerAddressTests {
  @Test(
    "A serial port has a speed and a pulse",
    arguments: [
      ("serial:/dev/ttyUSB0", "/dev/ttyUSB0", 115_200, 10), ("serial:a?b?baud=9600", "a?b", 9600, 10),
      ("serial:p?pulse_ms=0", "p", 115_200, 0), ("serial:p?baud=2000000&pulse_ms=2.5", "p", 2_000_000, 2.5),
    ])
  func serial(text: String, path: String, baud: Int, pulse: Double) throws {
    var settings = SerialMarkers.Settings(path: path)
    (settings.baud, settings.pulse) = (baud, .microseconds(Int64(pulse * 1000)))
    #expect(try MarkerAddress(text).kind == .serial(settings))
  }

  @Test("A channel is counted from 1")
  func audio() throws { #expect(try MarkerAddress("audio:3").kind == .audio(channel: 3)) }

  @Test("A stream has a name", arguments: [("lsl", "station"), ("lsl:lab 2", "lab 2")])
  func stream(text: String, name: String) throws { #expect(try MarkerAddress(text).kind == .lsl(stream: name)) }

  @Test(
    "A mistake is refused",
    arguments: [
      "", "serial", "serial:", "serial:p?baud=1", "serial:p?pulse_ms=2000", "serial:p?pulse=3",
      "serial:p?baud=9600&baud=9600",
      "audio", "audio:", "audio:0", "audio:-1", "audio:1.5", "audio:left", "audio:65", "lsl:", "parallel:0x378",
      "simulated",
    ])
  func mistakes(text: String) {
    #expect(throws: SensorError.self) { try MarkerAddress(text) }
  }
}

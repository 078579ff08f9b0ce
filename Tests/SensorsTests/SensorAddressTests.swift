import Quantities
import Sound
import Testing

@testable import Sensors

@Suite("A sensor's address")
struct SensorAddressTests {
  @Test(
    "says which sensor",
    arguments: [
      ("simulated", SimulatedSensor.Settings(), 0),
      (
        "simulated:seed=7,rate=64,dropouts=0.02,losses=0.1,response=-3,variability=0.5,respiration_hz=0.3,latency_ms=40",
        SimulatedSensor.Settings(

          heart: .init(seed: 7, rate: 64, variability: 0.5, respiration: 0.3, response: -3), dropouts: 0.02,
          losses: 0.1, latency: .milliseconds(40)), 40
      ),
      ("replay:a b/heart.json", ReplaySettings(path: "a b/heart.json", source: nil), 0),
      ("replay:x?source=a strap&latency_ms=5", ReplaySettings(path: "x", source: "a strap"), 5),
      ("replay:x.edf?block_ms=10", ReplaySettings(path: "x.edf", source: nil, block: .milliseconds(10)), 0),
      ("replay:what?.csv", ReplaySettings(path: "what?.csv", source: nil), 0), ("lines:-", LineTarget.standardInput, 0),
      ("lines:-?latency_ms=10", LineTarget.standardInput, 10),
      ("lines:/dev/ttyUSB0", LineTarget.path("/dev/ttyUSB0"), 0),
      ("lines:tcp://localhost:9000", LineTarget.tcp(host: "localhost", port: 9000), 0),
      ("lines:tcp://[::1]:9000?latency_ms=2300", LineTarget.tcp(host: "::1", port: 9000), 2300),
      ("lines:unix:/run/heart", LineTarget.unix(path: "/run/heart"), 0),
      ("lines:exec:bridge --ask 'why?' | tee x=1", LineTarget.exec(command: "bridge --ask 'why?' | tee x=1"), 0),
      ("microphone", MicrophoneSettings(), 0), ("microphone:default", MicrophoneSettings(), 0),
      ("microphone:room", MicrophoneSettings(source: "room"), 0),
      ("microphone:pulse:a:b", MicrophoneSettings(source: "a:b", server: .pulseAudio), 0),
      ("microphone:pipewire:?latency_ms=2.5", MicrophoneSettings(server: .pipeWire), 2.5),
      ("lines:exec:bridge?latency_ms=1.5", LineTarget.exec(command: "bridge"), 1.5),
    ] as [(String, any SensorKind, Double)])
  func good(text: String, kind: any SensorKind, latency: Double) throws {
    let address = try SensorAddress(text)
    #expect(AnyHashable(address.kind) == AnyHashable(kind))
    #expect(address.latency == .microseconds(Int(latency * 1000)))
    #expect(address.description == text)
  }

  @Test(
    "that is none is refused with a suggestion",
    arguments: [
      ("simlated", "there is no such kind of sensor; did you mean “simulated”?"),
      ("line:-", "there is no such kind of sensor; did you mean “lines”?"),
      ("tcp://localhost:1", "there is no such kind of sensor; did you mean “lines:tcp://localhost:1”?"),
      ("-", "there is no such kind of sensor; did you mean “lines:-”?"),
      ("wifi:Strap", "there is no such kind of sensor; \(SensorAddress.advice)"),
      ("polar", "there is no such kind of sensor; did you mean “bluetooth”?"),
      ("Polar H10 12345678", "there is no such kind of sensor; did you mean “bluetooth”?"),
      ("ble:H10", "there is no such kind of sensor; did you mean “bluetooth”?"),
      ("webcam", "there is no such kind of sensor; did you mean “camera:/dev/video0”?"),
      ("mic", "there is no such kind of sensor; did you mean “microphone”?"),
      ("arduino", "there is no such kind of sensor; did you mean “serial:PORT?kind=pulsesensor”?"),
      ("python3 sensor.py", "there is no such kind of sensor; did you mean “lines:exec:COMMAND”?"),
      ("demo", "there is no such kind of sensor; did you mean “simulated”?"),
      (
        "simulated:sed=7",
        "there is no option “sed”; did you mean “seed”? there are “quantity”, “seed”, “latency_ms”, “location”, "
          + "“rate”, “variability”, “respiration_hz”, “response”, “dropouts”, “losses”, “sampling_hz”, “channels”"
      ),
      ("simulated:seed=-1", "the seed “-1” is not a whole number from 0"),
      ("simulated:rate=nan", "rate is “nan”; it is a number from 35 to 180"),
      ("simulated:rate=60,rate=61", "the option “rate” is given twice"),
      ("replay", "the file is missing; say replay:FILE"),
      (
        "replay:x?latncy_ms=5",
        "there is no option “latncy_ms”; did you mean “latency_ms”? there are “latency_ms”, “location”, “source”, "
          + "“block_ms”"
      ),
      ("lines:tcp://localhost", "the port is missing or not from 1 to 65535; say lines:tcp://HOST:PORT"),
      ("lines:tcp://localhost:0", "the port is missing or not from 1 to 65535; say lines:tcp://HOST:PORT"),
      ("lines:tcp:localhost:9000", "a TCP server needs two slashes; say lines:tcp://HOST:PORT"),
      ("lines:tcp://::1:9000", "an IPv6 address needs brackets; say lines:tcp://[::1]:9000"),
      ("lines:tcp://h:1?x=2", "there is no option “x”; there are “latency_ms”, “location”"),
      (
        "lines:-?location=knee",
        "the location is “knee”; there are “other”, “chest”, “wrist”, “finger”, “hand”, “earLobe”, “foot”"
      ),
      ("lines:exec: ", "the command is missing; say lines:exec:COMMAND"),
      ("lines:unix:", "the socket's path is missing; say lines:unix:PATH"),
    ])
  func bad(text: String, reason: String) {
    do {
      _ = try SensorAddress(text)
      Issue.record("“\(text)” was taken")
    } catch {
      #expect(error.description == "cannot use the sensor “\(text)”: \(reason)")
    }
  }

  @Test("names its sensor")
  func sensors() throws {
    let simulated = try SensorAddress("simulated:seed=2,latency_ms=9").sensor()
    #expect(simulated is SimulatedSensor)
    #expect(simulated.source.name == "simulated:seed=2,latency_ms=9")
    #expect(simulated.source.latency == .milliseconds(9))
    let lines = try SensorAddress("lines:tcp://localhost:9?latency_ms=8").sensor()
    #expect((lines as? DerivingSensor)?.base is LinesSensor)
    #expect(lines.source.latency == .milliseconds(8))
    #expect(throws: SensorError("use the sensor", "lines:/no/such", "there is no “/no/such”")) {
      try SensorAddress("lines:/no/such").sensor()
    }
    #expect(throws: SensorError("use the sensor", "lines:/tmp", "“/tmp” is a folder")) {
      try SensorAddress("lines:/tmp").sensor()
    }
    let folder = TemporaryFolder()
    let path = folder.file("72\n")
    #expect(
      throws: SensorError(
        "use the sensor", "lines:\(path)", "“\(path)” is an ordinary file, whose samples would all arrive at once",
        advice: "use replay:\(path), which keeps their pace")
    ) {
      try SensorAddress("lines:\(path)").sensor()
    }
    #expect((try SensorAddress("lines:/dev/null").sensor() as? DerivingSensor)?.base is LinesSensor)
    #expect(throws: SensorError("replay", "/no/such", "No such file or directory")) {
      try SensorAddress("replay:/no/such").sensor()
    }
  }

  @Test(
    "says where on the body it sits",
    arguments: [
      ("simulated:location=wrist,seed=2", .wrist), ("lines:-?location=chest&latency_ms=2", .chest),
      ("lines:exec:true?location=earLobe", .earLobe), ("simulated", nil), ("lines:-?latency_ms=2", nil),
    ] as [(String, Metadata.SensorLocation?)])
  func location(text: String, location: Metadata.SensorLocation?) throws {
    #expect(try SensorAddress(text).sensor().source.location == location)
  }

  @Test("is assigned to a name")
  func assignment() throws {
    let assignment = try SensorAssignment("heartRate=simulated:seed=7")
    #expect(assignment.name == "heartRate")
    #expect(assignment.address.text == "simulated:seed=7")
    for (text, reason) in [
      ("simulated:seed=7", "expected NAME=SENSOR; did you mean “heartRate=simulated:seed=7”?"),
      ("heartRate", "expected NAME=SENSOR; as in heartRate=simulated"),
      ("=simulated", "the name before the = is missing; as in heartRate=simulated"),
    ] {
      #expect(throws: SensorError.self) { try SensorAssignment(text) }
      do { _ = try SensorAssignment(text) } catch { #expect(error.description == "cannot read “\(text)”: \(reason)") }
    }
  }
}

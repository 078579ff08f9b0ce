import Quantities
import Signals
import Testing

@testable import Sensors

@Suite("Addresses of cameras and films")
struct CameraAddressTests {
  @Test("Options are read")
  func options() throws {
    let address = try SensorAddress(
      "camera:/dev/video2?channel=pos&region=0.1,0.2,0.5,0.4&size=1280x720&fps=60&latency_ms=40&location=other")
    let settings = try #require(address.kind as? CameraSettings)
    #expect(settings.path == "/dev/video2" && !settings.isFilm && settings.colours == [.pos] && !settings.isOfFinger)
    #expect(settings.region == CameraSettings.Region(x: 0.1, y: 0.2, width: 0.5, height: 0.4))
    #expect(settings.size == "1280x720" && settings.rate == 60)
    #expect(address.latency == .milliseconds(40) && address.location == .other)
    let words = settings.command(isDevice: true)
    #expect(words.contains("v4l2") && words.contains("1280x720") && words.contains("60.0"))
  }

  @Test("By default every colour is tried, in the whole picture, of a finger")
  func defaults() throws {
    let settings = try #require(try SensorAddress("video:film.mkv").kind as? CameraSettings)
    #expect(
      settings.colours == PulseColour.allCases && settings.region == nil && settings.isOfFinger && settings.isFilm)
  }

  @Test(
    "What is wrong is refused with what is possible",
    arguments: [
      "camera", "camera:", "video", "video:", "camera:/dev/video0?channel=ultraviolet", "camera:/dev/video0?fps=1000",
      "camera:/dev/video0?size=big", "camera:/dev/video0?size=8x8", "video:a.mkv?region=0,0,2,1",
      "video:a.mkv?region=0.5,0.5,0.6,0.5", "video:a.mkv?region=a", "camera:/dev/video0?location=knee",
      "camera:/dev/video0?chanel=blue", "camra:/dev/video0",
    ])
  func refusals(text: String) {
    let error = #expect(throws: SensorError.self) { try SensorAddress(text) }
    #expect(error?.advice != nil)
  }

  @Test(
    "A camera or film that is not there is refused before anything starts",
    arguments: ["camera:/dev/video-none", "video:/none.mkv", "video:/tmp", "camera:/etc/passwd", "video:/dev/null"])
  func missing(text: String) throws {
    let address = try SensorAddress(text)
    let error = #expect(throws: SensorError.self) { try address.sensor() }
    #expect(error?.advice != nil)
  }

  @Test(
    "The reasons of ffmpeg are told with what to do",
    arguments: [
      ("/dev/video0: Device or resource busy", "another program"),
      ("/dev/video0: No such file or directory", "plugged"),
      ("ioctl(VIDIOC_DQBUF): No such device", "unplugged"), ("/dev/video0: Permission denied", "group"),
    ])
  func reasons(message: String, part: String) {
    let reason = CameraFault.reason(status: "status 1", message: message)
    #expect(reason.contains(part) && reason.contains(message))
  }
}

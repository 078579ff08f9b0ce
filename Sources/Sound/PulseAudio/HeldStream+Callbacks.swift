import Basics
import CPulse
import Quantities
import Study

// Callbacks that PulseAudio makes on its own thread, with the stream that it retains.

func streamChanged(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).stateChanged()
}

func streamWants(_ stream: OpaquePointer?, _ bytes: Int, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).feed(bytes: bytes)
}

func streamRanDry(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).underran()
}

func streamMoved(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  let sink = unsafe stream.flatMap { unsafe pa_stream_get_device_name($0) }.map { unsafe String(cString: $0) }
  unsafe Retained<HeldStream>.object(box).moved(to: sink ?? "unknown")
}

func streamSuspended(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  let isSuspended = unsafe pa_stream_is_suspended(stream) > 0
  unsafe Retained<HeldStream>.object(box).disturbed(isSuspended ? .suspended : .resumed)
}

func streamAnswered(_ stream: OpaquePointer?, _ success: Int32, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).answered(success != 0)
}

func timerFired(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<HeldStream>.object(box).timeCame()
}

func readerFired(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<HeldStream>.object(box).readCard()
}

func watchdogFired(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<HeldStream>.object(box).deadlineCame()
}

extension TimingSnapshot {
  /// Converts PulseAudio's answer; its timestamps are wall-clock times, so both clocks are read here.
  ///
  /// For a stream that records, the frame is the next that the source will deliver, and the latency is negative: that frame
  /// was in the air before, unless the source is a monitor, whose sink plays it later.
  init(_ timing: pa_timing_info, _ format: SoundFormat, isRecording: Bool = false) {
    let reading = MonotonicClock().wallReading()
    var timing = timing
    let calendar = unsafe cpulse_stamp_nanoseconds(&timing)
    let stamp = calendar - reading.wall.milliseconds * 1_000_000 + reading.moment.nanoseconds
    // On one machine the timestamp is the server's, and the request was sent `transport_usec` before it. Between
    // machines the timestamp is placed in the middle of the round trip.
    let transport = Int64(clamping: timing.transport_usec) * 1000
    let index = isRecording ? timing.write_index : timing.read_index
    let latency = Int64(clamping: timing.sink_usec) - (isRecording ? Int64(clamping: timing.source_usec) : 0)
    self.init(
      asked: stamp - transport, stamped: timing.synchronized_clocks != 0 ? stamp : stamp + transport,
      readFrame: Int(index) / (format.channels * MemoryLayout<Float>.stride),
      sinkLatency: latency * 1000, rate: format.sampleRate)
  }
}

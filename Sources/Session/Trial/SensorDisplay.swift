import Basics
import Quantities
import Study
import Synchronization

/// What sensors say on its way to the presenter: the newest heart rate, and a bounded number of notices.
///
/// The presenter is called by a task of its own, outside of every lock, and never by those who record.
final class SensorDisplay: Sendable {
  /// How many notices wait at most; what comes then is counted.
  static let maxNotices = 100

  /// How far apart the shown samples of a quantity are at least.
  static let pause = Duration.seconds(1)

  private struct State {
    var step: Step?
    /// Whether a step was shown; what is noticed before waits for the first.
    var hasBegun = false
    /// The newest rate with the step that was shown when it came; the rate is `nil` where the heart is lost.
    var rate: (step: Step, rate: Double?)?
    /// The newest sample of each other quantity, with the step that was shown when it came.
    var samples: [(step: Step, sample: ChannelSample)] = []
    /// When the last shown sample of each quantity happened.
    var shown: [QuantityType: Moment] = [:]
    var notices: [(step: Step?, text: String)] = []
    var omitted = 0
  }

  private let presenters: Presenters
  private let showsMeasured: Bool
  private let state = Mutex(State())
  private let bell = Bell()

  init(_ presenters: Presenters) { (self.presenters, showsMeasured) = (presenters, presenters.showProgress) }

  /// The step on whose screen things belong from now on; behind the last one nothing is shown.
  func show(_ step: Step?) {
    state.withLock { state in
      state.step = step
      if step != nil { state.hasBegun = true }
    }
    bell.ring()
  }

  /// Shows a heart rate, in beats a minute; a newer one takes its place when it was not shown yet.
  func heartRate(_ rate: Double?) {
    guard showsMeasured else { return }
    let isShown = state.withLock { state in
      guard let step = state.step else { return false }
      state.rate = (step, rate)
      return true
    }
    if isShown { bell.ring() }
  }

  /// Shows a sample of a channel, at most one of each quantity in a second; a newer one takes its place when it was not
  /// shown yet.
  func sample(_ sample: ChannelSample) {
    guard showsMeasured else { return }
    let isShown = state.withLock { state in
      guard let step = state.step else { return false }
      let last = state.shown[sample.type]
      if let last, (.zero..<Self.pause).contains(last.duration(to: sample.happened)) { return false }
      state.shown[sample.type] = sample.happened
      state.samples.removeAll { $0.sample.type == sample.type }
      state.samples.append((step, sample))
      return true
    }
    if isShown { bell.ring() }
  }

  /// Shows something that the operator should know.
  func notice(_ text: String) {
    state.withLock { state in
      guard state.step != nil || !state.hasBegun else { return }
      if state.notices.count < Self.maxNotices { state.notices.append((state.step, text)) } else { state.omitted += 1 }
    }
    bell.ring()
  }

  /// Calls the presenter until the task is cancelled, and then once more for what is left.
  func run() async {
    while await bell.wait() { drain() }
    drain()
  }

  private func drain() {
    let news = state.withLock { state -> State? in
      guard state.hasBegun else { return nil }
      defer { (state.rate, state.samples, state.notices, state.omitted) = (nil, [], [], 0) }
      return state
    }
    guard let news else { return }
    if let rate = news.rate { tell(.heartRate(rate.rate), rate.step) }
    for (step, sample) in news.samples { tell(.sampled(sample.type, sample.value, sample.unit), step) }
    for notice in news.notices {
      if let step = notice.step ?? news.step { tell(.noticed(notice.text), step) }
    }
    if news.omitted > 0, let step = news.notices.last?.step ?? news.step {
      tell(.noticed("\(news.omitted) more notices were not shown"), step)
    }
  }

  private func tell(_ event: PresentedEvent, _ step: Step) {
    presenters.presenter(for: step).tell(event, of: step)
  }
}

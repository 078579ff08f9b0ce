import Basics
import Glibc
import Quantities
import Study
import Testing

@testable import Sound

@Suite("Speech")
struct SpeechProgramTests {
  @Test(
    "espeak-ng speaks a text in a language, and the speech is brought to −23 LUFS without silence before it",
    arguments: [
      ("Please close your eyes.", "en"), ("Bitte schließen Sie die Augen.", "de"), ("Fechem os olhos.", "pt-BR"),
    ])
  func spoken(text: String, language: String) async throws {
    let speech = try await SpeechProgram().speech(text, in: language)
    #expect(speech.text == text && speech.language == language && speech.program == "espeak-ng")
    #expect(speech.version?.first?.isNumber == true)
    #expect((.milliseconds(700)...(.seconds(4))).contains(speech.duration))
    let sound = speech.stimulus(in: SoundFormat(sampleRate: 48_000, channels: 2))
    #expect(abs(sound.duration.seconds - speech.duration.seconds) < 0.001)
    let measured = Self.loudness(of: sound)
    let loudness = try #require(measured?.integrated)
    #expect(abs(loudness - Speech.target.integrated) < 0.7, "\(loudness) LUFS")
    #expect(try #require(measured?.truePeak) < -0.5)
  }

  private static func loudness(of sound: Stimulus) -> Loudness? {
    guard var meter = LoudnessMeter(sound.format) else { return nil }
    meter.add(Array(sound.samples))
    return meter.loudness
  }

  @Test("A word that is too short for a meter is as loud as a sentence", arguments: ["3", "2", "1"])
  func number(text: String) async throws {
    let speech = try await SpeechProgram().speech(text, in: "en")
    #expect(speech.duration < .seconds(1))
    #expect(abs(try #require(speech.loudness) - Speech.target.integrated) < 0.1)
  }

  @Test(
    "A text is neither an option nor markup nor a command of the voice",
    arguments: [
      ("--version", "version"), ("-w /dev/null", "-w /dev/null"), ("\u{1}99S\u{1}10Pslow", " 99S 10Pslow"),
      ("\u{202E}eyes\u{200B}", " eyes "), ("[[fOnim]]", "[ [fOnim]]"), ("<break time=\"60s\"/>", nil),
      ("<speak>hello</speak>", nil), ("\u{0}hello", " hello"), ("$(reboot); `reboot`", nil),
    ] as [(String, String?)])
  func hostile(text: String, plain: String?) async throws {
    if let plain, text != "--version" {
      #expect(String(decoding: SpeechProgram.plain(text), as: UTF8.self) == plain)
    }
    let speech = try await SpeechProgram().speech(text, in: "en")
    #expect(speech.text == text)
    // Neither a pause of a minute nor one that speaks ten times as slowly.
    #expect((.milliseconds(100)...(.seconds(12))).contains(speech.duration), "\(speech.duration)")
  }

  @Test("No more than the longest text is handed over, and a speech of more than two minutes is refused")
  func long() async throws {
    let million = String(repeating: "a ", count: 500_000)
    #expect(SpeechProgram.plain(million).count == 4 * ActiveStep.maxSpeech)
    await #expect(throws: SpeechError.tooLong(limit: Speech.maxLength)) {
      try await SpeechProgram().speech(String(repeating: "777777777 ", count: 200), in: "en")
    }
  }

  @Test("A text of which nothing can be heard is refused", arguments: ["", " \n", "\u{200B}"])
  func silent(text: String) async {
    await #expect(throws: SpeechError.inaudible) { try await SpeechProgram().speech(text, in: "en") }
  }

  @Test("A missing program and a missing voice are told with the package to install")
  func missing() async throws {
    let program = await #expect(throws: SpeechError.self) {
      try await SpeechProgram("no-such-espeak").speech("a", in: "en")
    }
    #expect(program == .programMissing("no-such-espeak"))
    #expect(program?.description.contains("apt-get install espeak-ng") == true)
    let voice = await #expect(throws: SpeechError.self) { try await SpeechProgram().speech("a", in: "xx") }
    #expect(voice == .noVoice(language: "xx"))
  }

  @Test("Nothing is left in the folder for temporary files")
  func clean() async throws {
    let scratch = try Scratch()
    let program = SpeechProgram(temporary: scratch.path)
    #expect(try await program.speech("One.", in: "en").duration > .zero)
    await #expect(throws: SpeechError.inaudible) { try await program.speech("", in: "en") }
    #expect(try Folder.names(in: scratch.path) == [])
  }

  @Test(
    "A sine keeps its frequency and level at another rate", arguments: [8000, 22_050, 32_000, 44_100, 48_000, 96_000])
  func resampled(rate: Int) {
    let source = 22_050
    func sine(_ frame: Int, at rate: Int) -> Double { 0.5 * sin(2000 * Double.pi * Double(frame) / Double(rate)) }
    let other = Resampler(from: source, to: rate).resample((0..<source).map { Float(sine($0, at: source)) })
    #expect(other.count == rate)
    var worst = 0.0
    for frame in rate / 20..<rate * 19 / 20 { worst = max(worst, abs(Double(other[frame]) - sine(frame, at: rate))) }
    #expect(worst < 0.002, "\(worst)")
  }
}

import Basics
import Quantities
import Testing

@testable import Sensors

@Suite("A first line of words")
struct StrangeHeaderTests {
  private func read(_ lines: [String]) -> [Row] {
    var reader = RowReader()
    return lines.map { line in
      let bytes = Array(line.utf8)
      return reader.read(bytes.span)
    }
  }

  private func samples(_ rows: [Row]) -> [Sample] {
    rows.compactMap { row in
      switch row {
      case .sample(let sample), .partly(let sample, _): sample
      case .nothing, .unreadable: nil
      }
    }
  }

  @Test(
    "that names no column of the station's is a header all the same, and none of its rows is read",
    arguments: [
      ["time,skinTemp", "100.8,800", "101.8,815"], ["time,rr (1/1024 s)", "1,830", "2,841"],
      ["time,rr [a.u.]", "60,830"], ["time,temp", "60,800"], ["temperature,humidity", "60,800"], ["a,b", "72,830"],
      ["a;b", "72;830"], ["\"a\",\"b\"", "72,830"], [",temp", "60,800"], ["[time],temp", "60,800"],
      ["(s),(C)", "60,800"], ["_time,_temp", "60,800"], ["time , temp , x", "1,72,830"],
      ["time,\"Temperature of the left hand, inside (C)\"", "60,800"],
      ["time,skinTemp", "s,C", "100.8,800"], ["1.0", "time,temp", "60,800"], ["sep=;", "a;b", "60,800;"],
      ["skinTemp", "72"], ["Temperature (C)", "36.5"], ["temperature", "36.5", "36.6"], ["resp (counts)", "72"],
      ["time", "72", "73"], ["rr [a.u.]", "72"], ["x (ms)", "72"], ["hearTrat", "72"], ["gsr", "72"],
      ["HR,BPM", "72,73"], ["time,hr,pulse", "1,72,73"], ["Zeit,Temperatur", "60,800"],
      ["température,temps", "60,800"],
    ])
  func refused(lines: [String]) {
    let rows = read(lines)
    #expect(samples(rows).isEmpty, "\(rows)")
    guard case .unreadable? = rows.last else {
      Issue.record("\(rows)")
      return
    }
  }

  @Test(
    "that greets is one line that cannot be read, and the rows below are",
    arguments: [
      ["Hello", "72"], ["Hello, world", "72,830"], ["Polar H10 ready", "72,830"], ["Polar H10", "72"],
      ["Pulse Sensor v1.2", "72"], ["Heart rate monitor of the lab", "72"],
      ["Connected to Polar H10, battery 80 %", "72"],
      ["Starting, please wait", "72,830"], ["Polar H10, firmware, v3", "72,830"], ["INFO, connected", "72,830"],
      ["CONNECT", "72"], ["RDY", "72"], ["Welcome to the ECG belt", "72"], ["belt on!, go", "72,830"],
      ["nan,nan", "72,830"], ["NA,NA", "72,830"], ["HR:72,RR:830", "72,830"], ["72bpm,830ms", "72,830"],
      ["2026-11-19 10:00,started", "72,830"], ["x,1", "72,830"], ["Device A", "Serial 12", "72,830"],
      ["---- start ----", "72"], ["[boot] sensor found", "72"], ["start", "72"], ["Sensor", "72"],
    ])
  func greeting(lines: [String]) {
    let rows = read(lines)
    #expect(samples(rows).map(\.heartRate) == [72], "\(rows)")
  }

  @Test(
    "is forgotten when a header follows that is known",
    arguments: [["a,b", "time,hr", "1,72"], ["Sensor box, second floor", "hr,rr", "72,830"], ["time", "hr", "72"]])
  func followed(lines: [String]) { #expect(samples(read(lines)).map(\.heartRate) == [72]) }

  @Test("is not a header once rows were read", arguments: [["72,830", "WARN, lost", "73,820"], ["72", "time", "73"]])
  func later(lines: [String]) { #expect(samples(read(lines)).map(\.heartRate) == [72, 73]) }

  @Test(
    "is named in the reason",
    arguments: [
      (["time,skinTemp", "1,800"], ["“time”", "“skinTemp”", "“skinTemperature”"]),
      (["time,rr [a.u.]", "1,800"], ["“rr [a.u.]”"]), (["HR,BPM", "72,73"], ["“HR”", "“BPM”"]),
    ])
  func reason(lines: [String], names: [String]) {
    for row in read(lines) {
      guard case .unreadable(let reason) = row else {
        Issue.record("\(row)")
        continue
      }
      for name in names { #expect(reason.contains(name)) }
    }
  }

  @Test("with columns that are not read is a note, once")
  func unread() {
    var decoder = LineDecoder(latency: .zero)
    let bytes = Array("t,hr,room,x\n1,72,3,4\nt,hr,room,x\n2,73,3,4\n".utf8)
    let yield = decoder.take(bytes.span, arrived: Moment(nanoseconds: 10_000_000_000))
    #expect(yield.readings.map(\.heartRate) == [72, 73] && yield.faults == [])
    #expect(yield.notes.count == 1 && yield.notes.first?.contains("“room”, “x”") == true)
  }
}

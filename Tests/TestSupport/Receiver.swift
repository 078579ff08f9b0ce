package import Basics
import CSystem
import Foundation
import Glibc

/// A receiver in Python, which runs as long as a test holds it; see `receiver.py` for what it can do wrong.
package final class Receiver: Sendable {
  /// The folder with what it keeps.
  package let folder: ScratchFolder
  /// Its port on this computer.
  package let port: Int
  private let program: RunningProgram
  private let input: Int32

  /// Starts a receiver; with a certificate it speaks TLS.
  ///
  /// - Parameters:
  ///   - certificate: the file with its certificate.
  ///   - key: the file with the key of that.
  ///   - dying: how many connections it closes when TLS begins, before it serves one.
  ///   - name: the script.
  /// - Throws: ``MissingProgram`` where Python is missing.
  package init(certificate: String? = nil, key: String = "", dying: Int = 0, script name: String = "receiver.py")
    async throws
  {
    let folder = try ScratchFolder()
    var (order, answer): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard unsafe pipe2(&order, O_CLOEXEC) == 0, unsafe pipe2(&answer, O_CLOEXEC) == 0 else {
      throw MissingProgram(name: "pipe")
    }
    let script = "\(Repository.root)/Tests/LaboratoryTests/Server/\(name)"
    let tls = certificate.map { [$0, key, "\(dying)"] } ?? []
    program = try RunningProgram(
      ["/usr/bin/python3", script, folder.path] + tls,
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
      streams: [order[0], answer[1], STDERR_FILENO])
    close(order[0])
    close(answer[1])
    input = order[1]
    let reading = answer[0]
    let line = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64))
        while !text.contains(10) {
          let count = unsafe read(reading, &buffer, buffer.count)
          guard count > 0 else { break }
          text += buffer.prefix(count)
        }
        close(reading)
        continuation.resume(returning: String(decoding: text, as: UTF8.self))
      }
    }
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw MissingProgram(name: "python3", reason: "the receiver did not start")
    }
    (self.folder, self.port) = (folder, port)
  }

  deinit { close(input) }

  /// The address of a behaviour: `http://127.0.0.1:PORT/WAY`.
  package func url(_ way: String, scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)/\(way)" }

  /// The requests so far, in order.
  package var requests: [JSONValue] {
    get throws { try lines("requests.jsonl") }
  }

  /// The JSON documents that were posted.
  package var posted: [JSONValue] {
    get throws { try lines("posted.jsonl") }
  }

  private func lines(_ name: String) throws -> [JSONValue] {
    guard Folder.exists(folder[name]) else { return [] }
    return try File.contents(of: folder[name]).split(separator: 10).map { try JSONReader.read(Array($0)).value }
  }

  /// The bundles that it keeps, by trial.
  package var kept: [String] {
    get throws { try Folder.names(in: folder.path).filter { $0.hasPrefix("kept-") }.map { String($0.dropFirst(5)) } }
  }

  /// The path of the archive that it keeps for a trial.
  package func path(of trial: String) -> String { folder["kept-\(trial)"] }
}

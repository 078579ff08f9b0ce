import Basics
import Foundation
import Glibc
import TestSupport

/// A `station` that stops in the middle of its work, at a call of the system, until it may go on.
///
/// A library that is loaded before the system's own makes the file `halted` there, and waits for the pipe `gate`.
final class HaltedChild: Sendable {
  let child: Child
  private let gate: String

  private static let library = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdatomic.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>

    static void halt(const char *call, const char *path) {
      static atomic_flag halted = ATOMIC_FLAG_INIT;
      const char *at = getenv("HALT_CALL"), *part = getenv("HALT_PATH");
      const char *mark = getenv("HALT_MARK"), *gate = getenv("HALT_GATE");
      if (!at || !part || !mark || !gate || strcmp(at, call) || !strstr(path, part)) return;
      if (atomic_flag_test_and_set(&halted)) return;
      int file = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
      if (file >= 0) { (void)!write(file, "\\n", 1); close(file); }
      file = open(gate, O_RDONLY | O_CLOEXEC);
      if (file >= 0) close(file);
    }

    static void halt_file(const char *call, int file) {
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t length = readlink(link, path, sizeof path - 1);
      if (length > 0) { path[length] = 0; halt(call, path); }
    }

    #define NEXT(type, name) ((type) dlsym(RTLD_NEXT, name))

    int mkdir(const char *path, mode_t mode) {
      halt("mkdir", path);
      return NEXT(int (*)(const char *, mode_t), "mkdir")(path, mode);
    }

    int rename(const char *from, const char *to) {
      halt("rename", to);
      return NEXT(int (*)(const char *, const char *), "rename")(from, to);
    }

    int renameat2(int here, const char *from, int there, const char *to, unsigned flags) {
      halt("rename", to);
      return NEXT(int (*)(int, const char *, int, const char *, unsigned), "renameat2")(here, from, there, to, flags);
    }

    int fsync(int file) {
      halt_file("sync", file);
      return NEXT(int (*)(int), "fsync")(file);
    }

    int fdatasync(int file) {
      halt_file("sync", file);
      return NEXT(int (*)(int), "fdatasync")(file);
    }

    """

  /// Starts `station`, and waits until it halts.
  ///
  /// - Parameters:
  ///   - words: its words.
  ///   - call: `mkdir`, `rename` or `sync`.
  ///   - path: a part of the path of the file or folder that is made, renamed to, or synchronised.
  ///   - bench: the bench.
  /// - Throws: ``MissingProgram`` where it ends without coming to that.
  init(_ words: [String], at call: String, of path: String, on bench: Bench) async throws {
    try bench.write(Self.library, to: "halting.c")
    let made = try Program.run(
      "clang", ["-shared", "-fPIC", "-o", bench.scratch["halting.so"], bench.scratch["halting.c"]])
    guard made.status == 0 else { throw MissingProgram(name: "clang", reason: made.error) }
    gate = bench.scratch["gate"]
    guard unsafe mkfifo(gate, 0o600) == 0 else { throw MissingProgram(name: "mkfifo") }
    let mark = bench.scratch["halted"]
    let watch = FileWatch(mark)
    child = try bench.start(
      words,
      environment: [
        "LD_PRELOAD": bench.scratch["halting.so"], "HALT_CALL": call, "HALT_PATH": path, "HALT_MARK": mark,
        "HALT_GATE": gate,
      ])
    Task { [child] in
      _ = await child.end()
      watch.stop()
    }
    while !Folder.exists(mark), await watch.wait() {}
    guard Folder.exists(mark) else {
      throw MissingProgram(
        name: words.joined(separator: " "), reason: "it did not come to \(call): \(child.complaints.text)")
    }
  }

  /// Lets it go on, and waits for its end.
  func end() async -> Int32 {
    let descriptor = unsafe open(gate, O_WRONLY | O_CLOEXEC)
    close(descriptor)
    return await child.end()
  }
}

import Basics

/// Why the program that decodes pictures ended, by its last message.
enum CameraFault {
  /// What is known of messages: a part of them, and what is wrong and what to do.
  private static let known = [
    ("Device or resource busy", "another program uses the camera; close it"),
    ("No such file or directory", "it is not there; is it plugged in?"),
    ("No such device", "the camera was unplugged"),
    ("Permission denied", "it must not be opened; add the user to the group “video”"),
    ("Inappropriate ioctl for device", "it is not a camera"),
    ("Not a video capture device", "it takes no pictures; many cameras have a second device, try the next"),
    ("Stream map '0:v:0' matches no streams", "it has no pictures"),
    ("Invalid data found when processing input", "it is not a film, or it is damaged"),
    ("moov atom not found", "it is not complete: its end, where the index is, is missing"),
    ("Cannot allocate memory", "too little memory"),
  ]

  /// The reason for people: ours where the message is known, then the message.
  ///
  /// - Parameters:
  ///   - status: how the program ended: `status 1`.
  ///   - message: its last line, or an empty text.
  /// - Returns: the reason, as a clause.
  static func reason(status: String, message: String) -> String {
    let own = known.first { message.contains($0.0) }?.1
    switch (own, message.isEmpty) {
    case (let own?, _): return "\(own) (ffmpeg: \(message))"
    case (nil, true): return "ffmpeg ended with \(status)"
    case (nil, false): return "ffmpeg ended with \(status): \(message)"
    }
  }
}

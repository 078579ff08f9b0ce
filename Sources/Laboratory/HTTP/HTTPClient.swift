import Basics
import CCurl
import Synchronization

/// libcurl with the station's rules: certificates are verified, redirects are not followed, nothing is waited for without end.
///
/// It keeps its connection for the next request to the same server. Requests are made one after the other.
@safe
package final class HTTPClient: HTTPExchange {
  /// How a client connects.
  package struct Settings: Hashable, Sendable {
    /// A file with the certificates of authorities that are trusted instead of the system's; `nil` for the system's.
    package var authorities: String?
    /// After how many seconds without progress a transfer ends, and after how many from the end of the request an answer that
    /// is not complete.
    package var silence = 30
    /// What is slower, in bytes per second, is no progress.
    var slowest = 100
    /// After how many seconds a connection that does not come about is given up.
    package var connecting = 15
    /// After how many seconds a request ends, whatever its progress.
    var longest = 3600

    package init() {}
  }

  private let settings: Settings
  // One request at a time uses it, on one thread; `isBusy` makes sure of that.
  nonisolated(unsafe) private let handle: UnsafeMutableRawPointer
  private let isBusy = Atomic(false)

  /// A client.
  ///
  /// - Throws: ``TransferFault`` when libcurl is not installed.
  package init(_ settings: Settings = Settings()) throws(TransferFault) {
    if let problem = unsafe ccurl_open() {
      throw unsafe TransferFault(.configuration, "cannot open libcurl: \(String(cString: problem)); install libcurl4")
    }
    guard let handle = unsafe ccurl_new() else { throw TransferFault(.configuration, "libcurl has no memory") }
    self.settings = settings
    unsafe self.handle = handle
  }

  deinit { unsafe ccurl_free(handle) }

  /// Makes a request on a thread of its own, which lets all others go first.
  package func perform(_ request: HTTPRequest, limit: Int) async throws(TransferFault) -> HTTPAnswer {
    let transfer = Transfer(request, limit: limit, patience: .seconds(settings.silence))
    let result = await withTaskCancellationHandler {
      await WaitingThread.run { self.performNow(request, transfer) }
    } onCancel: {
      transfer.cancel()
    }
    return try result.get()
  }

  private func performNow(_ request: HTTPRequest, _ transfer: Transfer) -> Result<HTTPAnswer, TransferFault> {
    guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
      return .failure(TransferFault(.configuration, "a client makes one request at a time"))
    }
    defer { isBusy.store(false, ordering: .releasing) }
    // The next transfer of this thread has no place before what a trial needs.
    ThreadPriority.lower()
    unsafe ccurl_reset(handle)
    let options = unsafe CurlOptions(handle)
    do throws(TransferFault) {
      try set(request, options)
    } catch {
      return .failure(error)
    }
    return withExtendedLifetime(transfer) {
      let box = unsafe Unmanaged.passUnretained(transfer).toOpaque()
      unsafe ccurl_set_writer(handle, takeContent, box)
      unsafe ccurl_set_header_taker(handle, takeHeader, box)
      unsafe ccurl_set_progress(handle, goOn, box)
      if request.body != nil {
        unsafe ccurl_set_reader(handle, giveContent, box)
        unsafe ccurl_set_rewinder(handle, rewind, box)
      }
      var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
      let code = unsafe ccurl_perform(handle, &reason)
      guard code != CURLE_OK else {
        return .success(transfer.answer(status: unsafe ccurl_status(handle)))
      }
      let detail = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // The library quotes what a server says.
      let isTold = !detail.isEmpty && !request.secrets.mayBeIn(detail)
      let words = isTold ? detail : unsafe String(cString: ccurl_meaning(code))
      return .failure(transfer.fault ?? TransferFault(TransferFault.Kind(code), words))
    }
  }

  private func set(_ request: HTTPRequest, _ options: borrowing CurlOptions) throws(TransferFault) {
    try options.set(CURLOPT_URL, request.url)
    try options.set(CURLOPT_PROTOCOLS_STR, "http,https")
    // Signals and `alarm` do not belong into a process with several threads.
    try options.set(CURLOPT_NOSIGNAL, 1)
    try options.set(CURLOPT_NOPROGRESS, 0)
    try options.set(CURLOPT_FOLLOWLOCATION, 0)
    try options.set(CURLOPT_USERAGENT, "station")
    try options.set(CURLOPT_CONNECTTIMEOUT, settings.connecting)
    try options.set(CURLOPT_LOW_SPEED_LIMIT, settings.slowest)
    try options.set(CURLOPT_LOW_SPEED_TIME, settings.silence)
    try options.set(CURLOPT_TIMEOUT, settings.longest)
    try options.set(CURLOPT_SSL_VERIFYPEER, 1)
    try options.set(CURLOPT_SSL_VERIFYHOST, 2)
    try options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let authorities = settings.authorities {
      try options.set(CURLOPT_CAINFO, authorities)
      try options.set(CURLOPT_CAPATH, nil)
    }
    // A proxy would see what is meant for this computer alone.
    if request.url.hasPrefix("http://") { try options.set(CURLOPT_NOPROXY, "127.0.0.1,localhost,::1") }
    if let signing = request.signing {
      try options.set(CURLOPT_AWS_SIGV4, "aws:amz:\(signing.region):s3")
      try options.set(CURLOPT_USERNAME, signing.identifier)
      try options.set(CURLOPT_PASSWORD, signing.secret)
    }
    // libcurl 7.88 would sign the field that it leaves out.
    var headers = request.headers + (request.signing == nil ? ["Expect:"] : [])
    if let body = request.body {
      headers.append("Content-Type: \(body.type)")
      // Without a method of its own, libcurl takes PUT, which can be sent from a file.
      try options.set(CURLOPT_UPLOAD, 1)
      try options.setSize(CURLOPT_INFILESIZE_LARGE, body.size)
    } else if request.method == "HEAD" {
      try options.set(CURLOPT_NOBODY, 1)
    }
    if request.method != "HEAD" { try options.set(CURLOPT_CUSTOMREQUEST, request.method) }
    try options.set(CURLOPT_HTTPHEADER, list: headers)
  }
}

/// Sets options of a handle, and keeps the lists that it refers to.
@safe
private struct CurlOptions: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  private let list = CurlList()

  init(_ handle: UnsafeMutableRawPointer) { unsafe self.handle = handle }

  func set(_ option: CURLoption, _ value: Int) throws(TransferFault) {
    try check(unsafe ccurl_set_number(handle, option, value))
  }

  func setSize(_ option: CURLoption, _ value: Int) throws(TransferFault) {
    try check(unsafe ccurl_set_size(handle, option, Int64(value)))
  }

  func set(_ option: CURLoption, _ value: String?) throws(TransferFault) {
    try check(unsafe ccurl_set_text(handle, option, value))
  }

  func set(_ option: CURLoption, list texts: [String]) throws(TransferFault) {
    for text in texts { list.append(text) }
    try check(unsafe ccurl_set_list(handle, option, list.head))
  }

  private func check(_ code: CURLcode) throws(TransferFault) {
    guard code != CURLE_OK else { return }
    throw TransferFault(.configuration, unsafe String(cString: ccurl_meaning(code)))
  }
}

/// A list of texts of libcurl, which frees itself.
@safe
private final class CurlList {
  private(set) var head: UnsafeMutablePointer<curl_slist>?

  func append(_ text: String) { unsafe head = ccurl_append(head, text) }

  deinit { unsafe ccurl_free_list(head) }
}

extension TransferFault.Kind {
  fileprivate init(_ code: CURLcode) {
    self =
      switch code {
      case CURLE_OPERATION_TIMEDOUT: .timeout
      // A server that ends while TLS begins is CURLE_SSL_CONNECT_ERROR: a connection that was lost.
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
        .certificate
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION,
        CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT:
        .configuration
      default: .connection
      }
  }
}

// MARK: Callbacks

private func takeContent(
  _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ box: UnsafeMutableRawPointer?
) -> Int {
  guard let start = unsafe start, let box = unsafe box else { return 0 }
  let bytes = unsafe UnsafeRawBufferPointer(start: start, count: size * count)
  return unsafe Transfer.from(box).take(Array(bytes)) ? size * count : 0
}

private func takeHeader(
  _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ box: UnsafeMutableRawPointer?
) -> Int {
  guard let start = unsafe start, let box = unsafe box else { return 0 }
  let bytes = unsafe UnsafeRawBufferPointer(start: start, count: size * count)
  return unsafe Transfer.from(box).takeHeader(String(decoding: bytes, as: UTF8.self)) ? size * count : 0
}

private func giveContent(
  _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ box: UnsafeMutableRawPointer?
) -> Int {
  guard let start = unsafe start, let box = unsafe box else { return Int(CURL_READFUNC_ABORT) }
  guard let bytes = unsafe Transfer.from(box).give(upTo: size * count) else { return Int(CURL_READFUNC_ABORT) }
  unsafe UnsafeMutableRawPointer(start).copyMemory(from: bytes, byteCount: bytes.count)
  return bytes.count
}

private func rewind(_ box: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
  guard let box = unsafe box, offset == 0, origin == 0 else { return CURL_SEEKFUNC_FAIL }
  unsafe Transfer.from(box).rewind()
  return CURL_SEEKFUNC_OK
}

private func goOn(
  _ box: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
  guard let box = unsafe box else { return 0 }
  return unsafe Transfer.from(box).mustEnd ? 1 : 0
}

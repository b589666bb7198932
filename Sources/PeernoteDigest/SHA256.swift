#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CNettle
#endif

/// SHA-256 (FIPS 180-4, section 6.2), by the system: CryptoKit on Apple's, Nettle elsewhere.
///
/// Both use the processor's instructions for it, where there are some.
public struct SHA256 {
  /// The length of a digest.
  public static let byteCount = 32

  #if canImport(CryptoKit)
    private var context = CryptoKit.SHA256()
  #else
    private var context = sha256_ctx()
  #endif

  /// The digest of no bytes so far.
  public init() {
    #if !canImport(CryptoKit)
      unsafe nettle_sha256_init(&context)
    #endif
  }

  /// Adds bytes to those that are digested, in time proportional to their number.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe update(buffer: $0)
    }
    if isContiguous == nil {
      unsafe Array(bytes).withUnsafeBufferPointer { unsafe update(buffer: $0) }
    }
  }

  private mutating func update(buffer: UnsafeBufferPointer<UInt8>) {
    #if canImport(CryptoKit)
      unsafe context.update(bufferPointer: UnsafeRawBufferPointer(buffer))
    #else
      guard let start = buffer.baseAddress else { return }
      unsafe nettle_sha256_update(&context, buffer.count, start)
    #endif
  }

  /// The digest of all bytes that were added.
  public func finalize() -> [UInt8] {
    #if canImport(CryptoKit)
      Array(context.finalize())
    #else
      unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
        var copy = context
        if let start = digest.baseAddress { unsafe pn_sha256_digest(&copy, start) }
        count = Self.byteCount
      }
    #endif
  }

  /// The digest of some bytes.
  public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}

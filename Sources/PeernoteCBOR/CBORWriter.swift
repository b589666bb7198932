internal import CPeernoteCBOR

/// Appends CBOR items to bytes, in core deterministic encoding (RFC 8949, section 4.2.1).
///
/// Each method writes one item, or the head of one. That as many items follow a container's head
/// as it says, and that a map's keys are unique and sorted (see `MapKeyOrder`), is up to the
/// caller. Strings are copied once; everything else takes constant time.
package struct CBORWriter: Sendable {
  /// Everything written so far.
  package private(set) var bytes: [UInt8]

  /// Writes after `bytes`.
  package init(appendingTo bytes: consuming [UInt8] = []) {
    self.bytes = bytes
  }

  /// Makes room for `count` more bytes, so that writing them does not allocate.
  package mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(bytes.count + count)
  }

  package mutating func unsigned(_ value: UInt64) {
    appendHead(.unsigned, value)
  }

  /// Writes the number -1 - `argument`.
  package mutating func negative(_ argument: UInt64) {
    appendHead(.negative, argument)
  }

  package mutating func integer(_ value: Int64) {
    if value < 0 {
      negative(UInt64(-1 - value))
    } else {
      unsigned(UInt64(value))
    }
  }

  package mutating func bytes(_ content: Span<UInt8>) {
    appendHead(.bytes, UInt64(content.count))
    append(content)
  }

  package mutating func bytes(_ content: [UInt8]) {
    bytes(content.span)
  }

  /// Writes a byte string of two parts.
  package mutating func bytes(_ first: Span<UInt8>, _ second: Span<UInt8>) {
    appendHead(.bytes, UInt64(first.count + second.count))
    append(first)
    append(second)
  }

  package mutating func text(_ content: String) {
    let utf8 = content.utf8
    appendHead(.text, UInt64(utf8.count))
    append(utf8.span)
  }

  /// Writes a text that is at hand as UTF-8, which the caller answers for.
  package mutating func text(utf8: Span<UInt8>) {
    appendHead(.text, UInt64(utf8.count))
    append(utf8)
  }

  /// Writes the head of an array; `count` items must follow.
  package mutating func arrayHeader(_ count: Int) {
    precondition(count >= 0, "an array's count is not negative")
    appendHead(.array, UInt64(count))
  }

  /// Writes the head of a map; `count` pairs of a key and a value must follow.
  package mutating func mapHeader(_ count: Int) {
    precondition(count >= 0, "a map's count is not negative")
    appendHead(.map, UInt64(count))
  }

  /// Writes a tag; the item that it applies to must follow.
  package mutating func tag(_ number: UInt64) {
    appendHead(.tag, number)
  }

  package mutating func bool(_ value: Bool) {
    appendHead(.bool, value ? 1 : 0)
  }

  package mutating func null() {
    appendHead(.null, 0)
  }

  /// Writes a floating-point number in the shortest form that preserves it; every NaN as f97e00.
  package mutating func double(_ value: Double) {
    switch ShortestFloat(value) {
    case .half(let bits):
      bytes.append(0xf9)
      bytes.append(UInt8(bits >> 8))
      bytes.append(UInt8(bits & 0xff))
    case .single(let single):
      unsafe append { place in unsafe pn_cbor_write_single(single, place) }
    case .double(let double):
      unsafe append { place in unsafe pn_cbor_write_double(double, place) }
    }
  }

  /// Copies items that are already encoded; that they are in the profile is up to the caller.
  package mutating func encoded(_ items: Span<UInt8>) {
    append(items)
  }

  private mutating func append(_ content: Span<UInt8>) {
    unsafe content.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func appendHead(_ kind: pn_cbor_kind, _ argument: UInt64) {
    unsafe append { place in unsafe pn_cbor_write_head(kind, argument, place) }
  }

  /// Lets libcbor write at the end of the array, where there is room for any head.
  @inline(__always)
  private mutating func append(_ write: (UnsafeMutablePointer<UInt8>?) -> Int) {
    bytes.append(addingCapacity: Int(PN_CBOR_HEAD_MAX)) { span in
      unsafe span.withUnsafeMutableBufferPointer { room, count in
        count = unsafe write(room.baseAddress)
      }
    }
  }
}

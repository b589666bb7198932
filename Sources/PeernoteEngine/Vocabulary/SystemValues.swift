#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Timestamp {
  /// What the system's clock shows.
  public static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

extension AgentID {
  /// An agent for a new session, from the system's random bits.
  public static func random() -> AgentID { AgentID(rawValue: .random(in: 0...(.max))) }
}

extension UniqueID {
  /// An identity for a new document, from the system's random bits.
  public static func random() -> UniqueID {
    UniqueID(randomBits: .random(in: 0...(.max)), .random(in: 0...(.max)))
  }
}

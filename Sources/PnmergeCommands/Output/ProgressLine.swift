import Synchronization

/// The line at the terminal that says how far the work is, if the work lasts.
///
/// It is drawn by another thread, as the one that works has no time for it. Whoever writes anything
/// else there ends it first.
final class ProgressLine: Sendable {
  private struct State {
    /// What one long piece of work of many steps is at.
    var count: String?
    /// What is being done to one file.
    var step: String?
    /// What stands at the terminal.
    var shown: String?
    var isTicking = false
  }

  /// How long the work lasts before anything is said, in milliseconds.
  static let patience: Int64 = 500
  private static let clearing = "\r\u{1B}[K"

  private let state = Mutex(State())
  private let started: Int64

  /// A line for work that starts at this time, in milliseconds.
  init(from started: Int64) { self.started = started }

  /// Says how many steps of the work are done.
  func count(_ text: String, _ host: any Host) {
    start(host) { $0.count = text }
  }

  /// Says what is being done, unless steps are counted.
  func step(_ text: String, _ host: any Host) {
    start(host) { $0.step = text }
  }

  private func start(_ host: any Host, _ change: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      change(&state)
      defer { state.isTicking = true }
      return !state.isTicking
    }
    if isFirst { host.startTicking { [self] now, write in draw(at: now, write) } }
  }

  /// Draws what is new.
  private func draw(at now: Int64, _ write: ([UInt8]) -> Void) {
    guard now - started >= Self.patience else { return }
    state.withLock { state in
      guard let text = state.count ?? state.step, text != state.shown else { return }
      state.shown = text
      // Without wrapping, or what is left of a long line could not be cleared.
      write(Array("\(Self.clearing)\u{1B}[?7l\(text)\u{1B}[?7h".utf8))
    }
  }

  /// Clears the line; it comes back with the next step.
  func end(_ write: ([UInt8]) -> Void) {
    state.withLock { state in
      (state.count, state.step) = (nil, nil)
      if state.shown == nil { return }
      state.shown = nil
      write(Array(Self.clearing.utf8))
    }
  }
}

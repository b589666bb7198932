/// One editing session: who edits, when, and under which agent.
///
///     let session = Session(author: "Ada")
///
/// Changes of one session to one document follow each other: edit, and merge, one copy of it. A
/// second copy that is edited apart, in another task or process, needs a session of its own.
public struct Session: Sendable {
  /// The agent; random, and never used again by another process.
  public var agent: AgentID
  /// The name under which changes are listed; may be empty.
  public var author: String
  private var fixedTime: Timestamp?

  /// A session that begins now, with an agent of its own, whose changes are made at the time that
  /// the system's clock shows then.
  ///
  /// - Parameter author: the name under which changes are listed; may be empty.
  public init(author: String) {
    agent = .random()
    self.author = author
  }

  /// A session whose changes are all made at one time, until ``time`` is set again.
  ///
  /// For changes that follow from something else, and for tests. Whoever keeps such a session has
  /// to keep its time: of two values written concurrently the one with the later time is shown.
  public init(agent: AgentID, author: String, time: Timestamp) {
    self.agent = agent
    self.author = author
    fixedTime = time
  }

  /// The wall-clock time of the next change: now, unless it was given.
  public var time: Timestamp {
    get { fixedTime ?? .now }
    set { fixedTime = newValue }
  }

  /// Finds the agent for a change made to a version of a document.
  ///
  /// If the agent has made changes that the version lacks, another agent has to make this one, or
  /// one name would stand for two changes. It is a digest of this agent and of how many changes it
  /// has made; as the agent is random and one copy of the document is edited, nobody else has it.
  ///
  /// - Parameters:
  ///   - counts: how many changes each agent has made to the document.
  ///   - past: the document at that version.
  /// - Returns: the session with that agent.
  func apart(from counts: [AgentID: Int], at past: Document) -> Session {
    var session = self
    while true {
      let count = counts[session.agent] ?? 0
      if past.changeCounts[session.agent] ?? 0 == count { return session }
      var text = Array("peernote late change".utf8)
      text += session.agent.rawValue.bigEndianBytes + UInt64(count).bigEndianBytes
      session.agent = AgentID(digestOf: text)
    }
  }
}

extension Document {
  /// How many changes each agent has made.
  ///
  /// O(chains).
  var changeCounts: [AgentID: Int] {
    log.graph.chains.reduce(into: [:]) { counts, chain in
      counts[log.agents[chain.agent], default: 0] += Int(chain.changeCount)
    }
  }
}

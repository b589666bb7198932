import Observation
import Peernote
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif

/// A note as a form shows it.
struct FormNote: Codable, Equatable {
  var title: String
  @MergeableText var body: String
}

@MainActor @Observable
final class NoteEditor {
  var draft: Draft<FormNote>
  private let live: ObservedDocument
  private let session: DocumentSession

  init(_ live: ObservedDocument, session: DocumentSession) async throws {
    self.live = live
    self.session = session
    draft = try await live.document.draft(FormNote.self)
  }

  /// Writes what was typed, and shows what came in.
  func commit() async throws {
    let typed = draft
    var committed = typed
    try await live.commit(&committed, by: session)
    // What was typed meanwhile stays, and is committed next.
    if draft.model == typed.model { draft = committed } else { draft.resume(after: committed) }
  }

  /// Takes back what was committed last, whatever others did since.
  func undo() async throws {
    try await commit()
    try await live.undo(by: session)
    try await refresh()
  }

  /// Shows what others do, until the document is gone.
  func follow() async throws {
    for await _ in await live.updates().values { try await refresh() }
  }

  private func refresh() async throws {
    let typed = draft
    var next = typed
    try await live.document.refresh(&next, by: session)
    // Who typed meanwhile sees it after the next commit.
    if draft.model == typed.model { draft = next }
  }
}

#if canImport(SwiftUI)
  struct NoteForm: View {
    @Bindable var editor: NoteEditor

    var body: some View {
      Form {
        TextField("Title", text: $editor.draft.title)
        TextEditor(text: $editor.draft.body)
      }
      .task { try? await editor.follow() }
      .task(id: editor.draft.model) {
        // The next keystroke cancels this wait.
        guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
        try? await editor.commit()
      }
    }
  }
#endif

/// A form that edits a draft while others edit the document.
@MainActor @Suite struct FormExample {
  @Test(
    "what is typed and what comes in are both shown and committed, and what was typed is undone")
  func form() async throws {
    var document = Document(id: exampleID(700))
    var new = Draft(new: FormNote(title: "Plans", body: ""))
    try document.commit(&new, by: session("Ada"))
    let live = ObservedDocument(document)
    let editor = try await NoteEditor(live, session: session("Ada", at: 1))
    editor.draft.body = "Rest."
    try await live.change(by: session("Bob", at: 2)) { editor in
      try editor.put("Summer", at: ["title"])
    }
    try await editor.commit()
    #expect(editor.draft.model == FormNote(title: "Summer", body: "Rest."))
    let saved = await live.document
    #expect(try saved.decode(FormNote.self) == editor.draft.model)
    editor.draft.body = "Rest. Swim."
    try await editor.undo()
    #expect(editor.draft.model == FormNote(title: "Summer", body: "Rest."))
    try await editor.undo()
    #expect(editor.draft.model == FormNote(title: "Summer", body: ""))
  }
}

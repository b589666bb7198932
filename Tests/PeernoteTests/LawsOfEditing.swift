import Peernote
import PeernoteTestSupport
import Testing

/// What editors do, against what their calls say.
@Suite struct LawsOfEditing {
  @Test("editors do what they are told, and changes mean what their editor showed")
  func editing() {
    let fault = EditorTrial.run(LawBudget(histories: 100))
    #expect(fault == nil, "\(fault ?? "")")
  }
}

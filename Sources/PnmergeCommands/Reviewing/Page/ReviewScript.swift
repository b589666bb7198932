extension ReviewPage {
  /// What the page of a review does: it shows what each choice comes to, and saves the choices.
  ///
  /// Everything that can be chosen is on the page already, in the markup; see
  /// ``ReviewPage/card(_:)``.
  static let script = #"""
    'use strict';
    (() => {
      const review = JSON.parse(document.getElementById('review').dataset.review);
      const cards = [...document.querySelectorAll('.card')];
      const json = document.getElementById('json');
      const bar = document.getElementById('bar');
      const tally = document.getElementById('tally');
      const next = document.getElementById('next');
      let saved = '';

      // What is decided at a card: the members for the file, or null.
      function answer(card) {
        const choice = card.querySelector('input:checked');
        if (!choice || choice.value === '') return null;
        if (choice.value === 'edited') {
          const draft = card.querySelector('textarea');
          return draft.value === draft.defaultValue ? null : {edited: draft.value};
        }
        return {take: /^\d+$/.test(choice.value) ? Number(choice.value) : choice.value};
      }

      // Shows in the result what the choice comes to.
      function show(card, answer, isGone) {
        const choice = card.querySelector('input:checked');
        const result = card.querySelector('.result');
        const state = card.querySelector('.state');
        const shown = document.createElement('div');
        shown.className = 'text';
        if (answer && 'edited' in answer) {
          shown.textContent = answer.edited;
        } else {
          const value = answer ? choice.value : card.dataset.kept;
          const side = card.querySelector(`[data-side="${value}"] .text`);
          shown.append(...side.cloneNode(true).childNodes);
        }
        result.replaceChildren(shown);
        card.classList.toggle('done', answer !== null || isGone);
        card.classList.toggle('gone', isGone);
        state.textContent = isGone ? 'Decided with what it stands in'
          : answer ? 'Result' : choice && choice.value === 'edited'
            ? 'Result unless decided: change the text to decide' : 'Result unless decided';
      }

      function update() {
        const gone = new Set();
        const answers = cards.map(answer);
        cards.forEach((card, index) => {
          const choice = card.querySelector('input:checked');
          if (!answers[index] || !choice.dataset.ends) return;
          for (const place of choice.dataset.ends.split(' ')) gone.add(place);
        });
        const decisions = [];
        let open = null;
        cards.forEach((card, index) => {
          const isGone = gone.has(card.id);
          show(card, answers[index], isGone);
          if (isGone) return;
          if (answers[index]) {
            decisions.push({...JSON.parse(card.dataset.place), ...answers[index]});
          } else {
            open = open || card;
          }
        });
        json.value = JSON.stringify({...review, decisions}, null, 1) + '\n';
        const left = cards.length - gone.size - decisions.length;
        tally.textContent = left === 0 ? 'All is decided.'
          : `${decisions.length} decided, ${left} left open.`;
        next.hidden = !open;
        if (open) next.href = '#' + open.id;
      }

      function save() {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([json.value], {type: 'application/json'}));
        link.download = 'decisions.json';
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        saved = json.value;
      }

      document.addEventListener('change', update);
      document.addEventListener('input', event => {
        if (event.target.matches('.card textarea')) {
          event.target.closest('.side').querySelector('input').checked = true;
        }
        update();
      });
      // Goes to the next open card after one, the first without one, or to saving if none is open.
      function goOn(event, after) {
        // The keyboard goes on where the eyes do.
        event.preventDefault();
        const open = cards.filter(card => !card.classList.contains('done') && card !== after);
        const start = cards.indexOf(after);
        const card = open.find(card => cards.indexOf(card) > start) || open[0];
        if (!card) return document.getElementById('save').focus();
        card.scrollIntoView();
        card.querySelector('input').focus({preventScroll: true});
      }
      next.addEventListener('click', event => goOn(event, null));
      for (const card of cards) {
        card.querySelector('.next').addEventListener('click', event => goOn(event, card));
      }
      document.getElementById('save').addEventListener('click', save);
      addEventListener('beforeunload', event => {
        if (json.value !== saved) event.preventDefault();
      });
      for (const part of document.querySelectorAll('.script')) part.hidden = false;
      update();
      saved = json.value;
    })();

    """#
}

extension ReviewPage {
  /// What the page of a review does: it shows what each choice comes to, and saves the choices.
  ///
  /// Everything that can be chosen is on the page already, in the markup; see ``ReviewContent``.
  static let script = #"""
    'use strict';
    (() => {
      const documents = JSON.parse(document.getElementById('review').dataset.review);
      const places = [...document.querySelectorAll('[data-place]')];
      const get = id => document.getElementById(id);
      const [json, tally, next] = ['json', 'tally', 'next'].map(get);
      const key = 'pnmerge ' + documents.map(part => part.version).join(' ');
      const info = new Map(places.map(place => [place, {
        number: Number(place.closest('[data-document]').dataset.document),
        data: JSON.parse(place.dataset.place), result: get('r' + place.id.slice(1)),
        inputs: [...place.querySelectorAll('input')], draft: place.querySelector('textarea'),
      }]));
      for (const {result} of info.values()) if (result) result.kept = result.textContent;

      const chosen = place => info.get(place).inputs.find(input => input.checked);

      // What is decided at a place: the members for the file, or null.
      function answer(place) {
        const choice = chosen(place);
        if (!choice || choice.value === '') return null;
        const {draft} = info.get(place);
        if (choice.value !== 'edited') return {take: choice.value};
        return draft.value === draft.defaultValue ? null : {edited: draft.value};
      }

      // Shows at the place what the choice comes to.
      function show(place) {
        const {result, draft} = info.get(place);
        const what = answer(place);
        if (!result) return place.classList.toggle('out', what !== null);
        result.textContent = !what ? result.kept
          : 'edited' in what ? draft.value : chosen(place).dataset.text ?? '(nothing)';
        place.classList.toggle('done', what !== null);
      }

      function update() {
        const gone = new Set();
        for (const place of places) {
          const choice = answer(place) && chosen(place);
          if (choice?.dataset.ends) choice.dataset.ends.split(' ').forEach(id => gone.add(id));
        }
        const parts = documents.map(part => ({...part, decisions: []}));
        let open = 0, count = 0, first = null;
        for (const place of places) {
          const {number, data, result} = info.get(place);
          const isGone = gone.has(place.id);
          place.classList.toggle('gone', isGone);
          const what = answer(place);
          if (result) {
            place.querySelector('.state').textContent =
              isGone ? ', decided with what it stands in'
                : what ? `: ${chosen(place).parentElement.querySelector('b').textContent}` : '';
            place.querySelector('.again').hidden = !place.classList.contains('folded');
          }
          if (isGone) continue;
          if (what) {
            parts[number].decisions.push({...data, ...what});
            count += 1;
          } else if (result) {
            open += 1;
            first = first || place;
          }
        }
        json.value = JSON.stringify({schema: 2, documents: parts}, null, 1) + '\n';
        tally.textContent = `${count} decided, ${open} left open.`;
        next.hidden = !first;
        if (first) next.href = '#' + first.id;
        try {
          localStorage.setItem(key, JSON.stringify(places.map(answer)));
        } catch { /* Then a reload forgets them. */ }
      }

      function fold(place) {
        if (place.matches('.done:not(.folded)')) place.classList.add('folded');
      }

      function choose(place, what) {
        const {inputs, draft} = info.get(place);
        const input = inputs.find(input => input.value === (what.take ?? 'edited'));
        if (!input) return;
        input.checked = true;
        if ('edited' in what && draft) draft.value = what.edited;
        show(place);
        fold(place);
      }

      function changed(target) {
        const place = target.closest('[data-place]');
        if (!place) return;
        show(place);
        update();
      }

      // Goes to the next open place after one, the first without one, or to saving if none is open.
      function goOn(event) {
        event.preventDefault();
        const open = places.filter(place =>
          info.get(place).result && !place.matches('.done,.gone'));
        const here = document.activeElement?.closest('.place');
        const start = here ? places.indexOf(here) : -1;
        const place = open.find(place => places.indexOf(place) > start) || open[0];
        if (!place) return get('save').focus();
        place.scrollIntoView({block: 'center'});
        info.get(place).inputs[0].focus({preventScroll: true});
      }

      document.addEventListener('change', event => changed(event.target));
      document.addEventListener('input', event => {
        if (!event.target.matches('.place textarea')) return;
        event.target.closest('.choice').querySelector('input').checked = true;
        changed(event.target);
      });
      document.addEventListener('focusout', event => {
        const place = event.target.closest?.('.place');
        if (!place || !event.relatedTarget || place.contains(event.relatedTarget)) return;
        fold(place);
        update();
      });
      document.addEventListener('click', event => {
        const button = event.target.closest('button');
        if (button?.matches('.again')) {
          const place = button.closest('.place');
          place.classList.remove('folded');
          update();
          chosen(place).focus();
        } else if (button?.matches('.take')) {
          const here = button.closest('section,main');
          for (const place of places) {
            if (!here.contains(place) || answer(place) || place.matches('.gone')) continue;
            const found = info.get(place).inputs.filter(
              input => input.dataset.who === button.dataset.who);
            if (found.length === 1) choose(place, {take: found[0].value});
          }
          update();
        }
      });
      next.addEventListener('click', goOn);
      get('save').addEventListener('click', () => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([json.value], {type: 'application/json'}));
        link.download = 'decisions.json';
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      });
      get('copy').addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(json.value);
        } catch {
          json.select();
          document.execCommand('copy');
        }
        tally.textContent = 'Copied.';
      });
      for (const part of document.querySelectorAll('.script')) part.hidden = false;
      try {
        const kept = JSON.parse(localStorage.getItem(key)) || [];
        kept.forEach((what, index) => what && places[index] && choose(places[index], what));
      } catch { /* Nothing is kept. */ }
      update();
    })();

    """#
}

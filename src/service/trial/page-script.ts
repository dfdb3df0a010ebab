/** What the page does by itself: sorting, opening, and marks that add up, are kept in the browser, and are saved. */
export const SCRIPT = `
'use strict';
const table = document.getElementById('alerts');
const bodies = () => [...table.tBodies];
const { trial, days, program } = document.body.dataset;
const kept = 'gumshoe-trial-' + trial;
let marks = new Map();
try { marks = new Map(JSON.parse(localStorage.getItem(kept) ?? '[]')); } catch { /* A browser may keep nothing for a file. */ }

function sort(button) {
  const head = button.closest('th');
  const up = head.getAttribute('aria-sort') !== 'ascending';
  for (const other of table.tHead.querySelectorAll('th')) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const { key } = button.dataset;
  const isText = key === 'name' || key === 'verdict';
  const order = (a, b) => isText ? a.dataset[key].localeCompare(b.dataset[key]) : a.dataset[key] - b.dataset[key];
  table.append(...bodies().sort((a, b) => up ? order(a, b) : order(b, a)));
}

function open(body) {
  const button = body.querySelector('.open');
  const isOpen = button.getAttribute('aria-expanded') === 'true';
  button.setAttribute('aria-expanded', String(!isOpen));
  body.querySelector('.more').hidden = isOpen;
}

function counted(list) {
  const of = (mark) => list.filter((body) => marks.get(body.dataset.id) === mark).length;
  return of('right') + ' right, ' + of('near') + ' near, ' + of('wrong') + ' wrong';
}

function show() {
  for (const body of bodies())
    for (const button of body.querySelectorAll('[data-mark]'))
      button.setAttribute('aria-pressed', String(marks.get(body.dataset.id) === button.dataset.mark));
  const marked = bodies().filter((body) => marks.has(body.dataset.id));
  const high = marked.filter((body) => body.dataset.level === 'high');
  const rest = bodies().length - marked.length;
  document.getElementById('tally').textContent = marked.length === 0
    ? 'none yet: was each verdict right, near or wrong?'
    : counted(marked) + '; ' + rest + ' not marked' + (high.length === 0 ? '' : '. With high confidence: ' + counted(high));
}

function mark(button) {
  const { id } = button.closest('tbody').dataset;
  if (marks.get(id) === button.dataset.mark) marks.delete(id);
  else marks.set(id, button.dataset.mark);
  try { localStorage.setItem(kept, JSON.stringify([...marks])); } catch { /* Saving them as a file still works. */ }
  show();
}

function save() {
  const rows = bodies().map((body) => ({
    at: new Date(Number(body.dataset.from)).toISOString(),
    alert: body.dataset.name,
    verdict: body.dataset.verdict === '~' ? null : body.dataset.verdict,
    confidence: body.dataset.level === 'none' ? null : body.dataset.level,
    mark: marks.get(body.dataset.id) ?? null,
  }));
  const text = JSON.stringify({ program, days: Number(days), rows }, null, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'gumshoe-trial-marks.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (button?.dataset.key) sort(button);
  else if (button?.dataset.mark) mark(button);
  else if (button?.id === 'save') save();
  else if (target.closest('.row') && !target.closest('a') && String(getSelection()) === '') open(target.closest('tbody'));
});
document.querySelector('.marks').hidden = bodies().length === 0;
show();
`;

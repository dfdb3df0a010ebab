import { describe, expect, it } from 'vitest';
import { readWorded, writeWorded } from '../../src/lib/worded.ts';

const WORDED = {
  summary: 'payments error rate rose to 5.6% [a1].',
  computed: '**payments is failing.**\n\n- error rate rose from 0.3% to 5.6% [a1]',
  footer: 'worded by tiny:1 from a1, a3 · 2 sentences left out: no evidence',
};

it('an answer that a model worded is read as it was written', () => {
  expect(readWorded(writeWorded(WORDED))).toEqual(WORDED);
});

describe('no model worded', () => {
  it.each([
    ['an answer without its last line', 'payments is failing.\n\nerror rate rose.'],
    ['one that quotes such a line in between', `first\n\n_${WORDED.footer}_\n\nlast`],
    ['one of nothing but that line', `_${WORDED.footer}_`],
    ['one whose last line cites nothing', 'first\n\nlast\n\n_worded by tiny_'],
  ])('%s', (_what, answer) => {
    expect(readWorded(answer)).toBeNull();
  });
});

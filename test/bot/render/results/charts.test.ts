import { describe, expect, it } from 'vitest';
import { renderResults } from '../../../../src/bot/render/results/results.ts';
import { resultsView } from '../../../support/views.ts';

const chart = (fileId: string) => ({ picture: { fileId, alt: `Chart ${fileId}` }, drawn: null });

describe('charts in the results', () => {
  const results = { rootCause: { rootCauseSummary: 'The pool is full.' } };

  it('stand above the buttons that lead to the rest, two at most; in words the message is the same without', () => {
    const plain = renderResults(resultsView(results));
    const [message] = renderResults(resultsView(results, { charts: ['F1', 'F2', 'F3'].map(chart) }));
    const types = message?.blocks.map(({ type }) => type) ?? [];
    const buttons = types.indexOf('actions');
    expect(types.slice(buttons - 2, buttons)).toEqual(['image', 'image']);
    expect(message?.blocks.filter(({ type }) => type !== 'image')).toEqual(plain[0]?.blocks);
    expect(message?.plainer).toEqual(plain[0]?.blocks);
  });
});

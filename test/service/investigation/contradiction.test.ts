import { expect, it } from 'vitest';
import type { StoredFindings } from '../../../src/contract/schema.ts';
import { nothingYet } from '../../../src/service/investigation/types.ts';
import { contradiction } from '../../../src/service/investigation/words/nothing.ts';

/** Findings with this cause, and these facts that go on. */
function said(cause: string | null, ...facts: string[]): StoredFindings {
  const { rootCause, ...rest } = nothingYet('one');
  const node = { id: 'cause', title: cause ?? '', description: '', confidence: 'high', evidence: [] };
  return {
    ...rest,
    trace: [],
    prediction: null,
    limits: [],
    rootCause: { ...rootCause, ...(cause !== null && { rootCauseSummary: `${cause}: it is so.` }) },
    causalTreeV2: { nodes: cause === null ? [] : [{ ...node, nodeType: 'cause' }], edges: [] },
    facts: facts.map((sentence) => ({
      what: 'departure',
      code: 'errors',
      key: sentence,
      of: { service: 'cart' },
      from: { source: 'prometheus', from: '2026-03-17T12:00:00Z', to: '2026-03-17T12:10:00Z' },
      sentence,
    })),
  };
}

it('a later look that says something else says so, and what is new or gone since', () => {
  const before = said('Degradation of seats after a deploy', 'seats error rate rose from 1% to 20%.');
  const now = said('Outage of ledger', 'ledger instances up fell from 1 to 0.');
  expect(contradiction(before, now, 1)).toBe(
    'Version 1 said: Degradation of seats after a deploy. This investigation comes to a different result. New since then: ledger instances up fell from 1 to 0. Gone since then: seats error rate rose from 1% to 20%. ',
  );
});

it('one that says the same, or comes after one without a cause, contradicts nothing', () => {
  expect(contradiction(said('Outage of ledger'), said('Outage of ledger'), 1)).toBe('');
  expect(contradiction(said(null), said('Outage of ledger'), 1)).toBe('');
  expect(contradiction(said('Outage of ledger'), said(null), 2)).toBe(
    'Version 2 said: Outage of ledger. That is no longer visible. ',
  );
});

it('a change that was suspected and is proven now is the same result, and another one is not', () => {
  const after = (cause: string, change: string) => {
    const { causalTreeV2, ...rest } = said(cause);
    const nodes = causalTreeV2.nodes.flatMap((node) => [
      { ...node, id: 'change', title: change, nodeType: 'trigger' },
      node,
    ]);
    return { ...rest, causalTreeV2: { ...causalTreeV2, nodes } };
  };
  const suspected = after('Degradation of quotes after a deploy', 'Release quotes 2.4.0');
  expect(contradiction(suspected, after('Bad deploy of quotes', 'Release quotes 2.4.0'), 1)).toBe('');
  expect(contradiction(suspected, after('Bad deploy of quotes', 'Release quotes 2.3.9'), 1)).toContain(
    'comes to a different result',
  );
});

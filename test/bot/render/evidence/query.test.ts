import { expect, it } from 'vitest';
import { type EvidenceView, evidenceModal } from '../../../../src/bot/render/evidence/evidence-modal.ts';
import { preformatted } from '../../../../src/bot/render/rendered.ts';

const QUERY =
  'sum by (le) (rate({__name__=~"a_.*|b~~",job!~"~x",msg=`tick ``` <!channel>`}[5m])) * on () group_left () (x > 0.05)';

const view = (query: string): EvidenceView => ({
  place: { owner: 'issue-1', version: 1, index: 0, channel: 'C1' },
  number: 12,
  title: 'Checkout is slow',
  entries: [{ use: 'counts', title: 'errors', description: '', dataType: 'metric', about: '' }],
  shown: {
    state: 'kept',
    artifact: {
      type: 'metric',
      data: {
        query,
        asked: { start: '2026-11-20T14:00:00Z', end: '2026-11-20T15:00:00Z', stepSeconds: 120 },
        dataPoints: [],
      },
    },
  },
  rawJson: 'offered',
  simulated: false,
});

it('a query is copied from the evidence byte for byte, whatever is in it, with from when to when', () => {
  const { blocks } = evidenceModal(view(QUERY));
  expect(blocks).toContainEqual(preformatted(QUERY));
  expect(JSON.stringify(preformatted(QUERY))).toContain(JSON.stringify(QUERY));
  expect(JSON.stringify(blocks)).toMatch(
    /<!date\^\d+\^\{time\}\|2026-11-20 14:00 UTC> to <!date\S+ \{date_short_pretty\}\|2026-11-20 15:00 UTC>, every 2 min/u,
  );
});

it('one that is too long to be shown is said to be in the JSON', () => {
  const said = JSON.stringify(evidenceModal(view('x'.repeat(9_000))).blocks);
  expect(said).toContain('Its query is too long to be shown here: *Get the raw JSON* has it.');
});

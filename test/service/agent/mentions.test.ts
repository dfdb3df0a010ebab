import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { madeSource } from '../../support/made-source.ts';
import { deploy, MINUTE, ONSET, system } from '../investigation/freight.ts';

const NOW = ONSET + 8 * MINUTE;

/** A system that counts customs papers, has changed its gangway and logs of a quarantine. */
function source(): TelemetrySource {
  const made = madeSource(
    system({
      changes: [
        deploy('tariffs', ONSET - 300 * MINUTE, { title: 'gangway: two lanes', authors: ['Ada Lund'] }),
      ],
      logs: [
        {
          at: NOW - 3 * MINUTE,
          service: 'printer',
          level: 'info',
          message: 'quarantine lifted for hold 4',
          instance: null,
          traceId: null,
        },
      ],
      metrics: [
        {
          service: 'printer',
          measure: 'other',
          unit: '',
          label: 'papers',
          query: 'sum(harbor_papers_waiting)',
          at: () => 7,
        },
      ],
    }),
  );
  const papers = {
    name: 'harbor_papers_waiting',
    type: 'gauge',
    help: '',
    unit: '',
    labels: { job: ['printer'] },
  } as const;
  const locks = { ...papers, name: 'harbor_locks_held' } as const;
  return {
    ...made,
    catalog: async () => known([papers, locks]),
    logs: async (service, window, budget, text) => {
      const all = await made.logs(service, window, budget);
      return all.known ? known(all.value.filter(({ message }) => message.includes(text ?? ''))) : all;
    },
  };
}

async function asked(question: string): Promise<string> {
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  const context = { now: NOW, before: null, issues };
  return (await answerOf(question, context, source(), { id: () => 'id', budget: UNLIMITED })).answer;
}

it.each([
  [
    'papers piled onto ships tho?',
    /^(?:I can’t tell about .*\. )?What I found about \*papers\*:\n\n\*\*`harbor_papers_waiting`.*: 7 now\*\*/u,
  ],
  [
    'gangway folks sober tho?',
    /What I found about \*gangway\*:\n\nChanges:\n\n- .*: gangway: two lanes \(by Ada Lund\)$/u,
  ],
  [
    'quarantine folks sober tho?',
    /What I found about \*quarantine\*:\n\n1 line in the last hour, .*:\n\n- \S+ UTC printer: `quarantine lifted for hold 4`$/u,
  ],
])('what no tool answers is looked up where its words stand: %s', async (question, answer) => {
  expect(await asked(question)).toMatch(answer);
});

it('says what of it stands nowhere, and of what stands nowhere nothing', async () => {
  expect(await asked('gangway painters sober tho?')).toMatch(
    /^I can’t tell about \*painters\* and \*sober\*\. What I found about \*gangway\*:/u,
  );
  expect(await asked('painters sober tho?')).not.toMatch(/What I found about/u);
  // A part of a word is another word.
  expect(await asked('quarant folks sober tho?')).not.toMatch(/What I found about/u);
});

it('a metric is known by a part of its name that no other has', async () => {
  expect(await asked('show papers_waiting')).toMatch(/^\*\*`harbor_papers_waiting`.*: 7 now\*\*/u);
});

import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { known, type Reading, unknown } from '../../../../src/service/telemetry/model.ts';
import type { Sampled } from '../../../../src/service/telemetry/prometheus/client.ts';
import { askedTogether } from '../../../../src/service/telemetry/prometheus/together.ts';

const OVER = { window: { from: 0, to: 1 }, stepMs: 1, budget: UNLIMITED };
const ASKED = ['a', 'b', 'c'].map((expression) => ({ expression, subject: expression }));

const series = (labels: Record<string, string>): Sampled => ({
  labels,
  points: { times: Float64Array.of(1), values: Float64Array.of(2) },
});

/** Asks three questions of a server that answers so. */
async function asked(answer: (query: string) => Reading<Sampled[]>) {
  const queries: string[] = [];
  const queryRange = async (query: string) => {
    queries.push(query);
    return answer(query);
  };
  return { answers: await askedTogether({ queryRange }, ASKED, OVER), queries };
}

it('asks in one request, and gives each question its own answer', async () => {
  const { answers, queries } = await asked(() =>
    known([series({ job: 'x', part_of_query: '0' }), series({ job: 'y', part_of_query: '2' })]),
  );
  expect(queries).toHaveLength(1);
  expect(answers).toEqual([known([series({ job: 'x' })]), known([]), known([series({ job: 'y' })])]);
});

it('asks each by itself where one of them cannot be answered', async () => {
  const { answers } = await asked((query) =>
    query === 'a' || query === 'c' ? known([]) : unknown(`no: ${query}`),
  );
  expect(answers).toEqual([known([]), unknown('no: b'), known([])]);
});

it('asks a server that does not answer no more than once again', async () => {
  const { answers, queries } = await asked(() => unknown('down'));
  expect(answers).toEqual(ASKED.map(() => unknown('down')));
  expect(queries).toHaveLength(2);
});

import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known, unknown } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { madeSource } from '../../support/made-source.ts';
import { MINUTE, ONSET, system } from '../investigation/freight.ts';
import { issuesOf } from './an-issue.ts';

const NOW = ONSET + 8 * MINUTE;
const LINE = {
  at: NOW - MINUTE,
  service: 'tariffs',
  instance: null,
  level: 'info',
  message: 'BGP: Peer Down 10.0.0.7',
  traceId: null,
};

/** The answer to *was there any "…" in the logs of tariffs?*, of a store with one line. */
async function asked(text: string, logs?: TelemetrySource['logs']): Promise<string> {
  const question = `was there any "${text}" in the logs of tariffs?`;
  const context = { now: NOW, before: null, issues: issuesOf([]) };
  const made = madeSource({ ...system({}), logs: [LINE] });
  const source = logs === undefined ? made : { ...made, logs };
  return (await answerOf(question, context, source, { id: () => 'id', budget: UNLIMITED })).answer;
}

it('a text is found however it is written', async () => {
  expect(await asked('peer down')).toMatch(
    /^Yes\. \*\*tariffs logs\*\* in [\s\S]*`BGP: Peer Down 10\.0\.0\.7`$/u,
  );
});

it('that no line has it is said where lines were read', async () => {
  expect(await asked('peer lost')).toMatch(
    /^No\. I searched: no line of tariffs in .+ contains `peer lost`\.$/u,
  );
});

it('what was read in part is no “No”, and says what was not read', async () => {
  const inPart: TelemetrySource['logs'] = async (_service, _window, _budget, text) =>
    known(text === '' ? [LINE] : [], ['The last 8 MiB were read.']);
  const answer = await asked('peer lost', inPart);
  expect(answer).toMatch(/contains `peer lost`, as far as I could read\. The last 8 MiB were read\.$/u);
  expect(answer).not.toMatch(/^No\b/u);
});

it('where nothing could be searched, or there is no line at all, nothing is said to be missing', async () => {
  expect(await asked('peer lost', async () => unknown('Loki did not answer.'))).not.toMatch(
    /^No\b|no line of/u,
  );
  expect(await asked('peer lost', async () => known([]))).not.toMatch(/^No\b|no line of/u);
});

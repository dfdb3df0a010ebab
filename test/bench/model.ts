import { createLogger } from '../../src/bot/shared/log.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Environment } from '../../src/lib/io.ts';
import { routeOf } from '../../src/service/agent/answer.ts';
import { createServiceMetrics } from '../../src/service/metrics.ts';
import { createModel, ModelUnavailable } from '../../src/service/model/model.ts';
import { routeByModel } from '../../src/service/model/route.ts';
import { readModelSettings } from '../../src/service/model/settings.ts';
import { openStore } from '../../src/service/store/store.ts';
import { labelled } from './questions.ts';

/** How often the model of `MODEL_URL` chooses the right lookups, beside the rules, and what that costs. */
export async function benchModel(env: Environment, fetch?: typeof globalThis.fetch): Promise<string> {
  const read = readModelSettings(env);
  if ('problems' in read) return read.problems.join('\n');
  const { settings } = read;
  if (settings === null) return 'There is no model to measure: set MODEL_URL and MODEL_NAME.';
  const store = await openStore({ file: ':memory:' });
  const log = createLogger('silent');
  const parts = { requests: store.modelRequests, clock: systemClock, log, metrics: createServiceMetrics() };
  const model = createModel(settings, { ...parts, ...(fetch === undefined ? {} : { fetch }) });
  const right = { rules: 0, model: 0 };
  let failed = 0;
  const ms: number[] = [];
  const questions = labelled().filter(({ tuned }) => !tuned);
  for (const { question, services, accept } of questions) {
    const { tools: hint } = routeOf(question, services);
    if (isRight(hint, accept)) right.rules++;
    const began = systemClock.now();
    const session = model.begin(new AbortController().signal);
    try {
      const asked = { question, before: null, talk: [], services, issues: [], issue: null, hint };
      const routed = await routeByModel({ ...asked, now: began }, session, {
        organization: 'bench',
        issue: null,
        use: 'route',
      });
      if (
        isRight(
          (routed?.calls ?? []).map(({ tool }) => tool.name),
          accept,
        )
      )
        right.model++;
      ms.push(systemClock.now() - began);
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      failed++;
    } finally {
      session.end();
    }
  }
  const { tokens } = await model.today();
  await store.close();
  const of = questions.length;
  const median = ms.toSorted((a, b) => a - b)[Math.floor(ms.length / 2)];
  return [
    `Of ${of} questions, the right lookups are chosen for:`,
    `  by the rules: ${right.rules}`,
    `  by ${settings.name}: ${right.model}; ${failed} without an answer, ${Math.round(tokens / of)} tokens a question, ${median ?? '–'} ms (median)`,
  ].join('\n');
}

function isRight(tools: readonly string[], accept: readonly string[]): boolean {
  return tools.length === 0 ? accept.includes('nothing') : tools.some((tool) => accept.includes(tool));
}

import { createLogger } from '../../bot/shared/log.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Environment } from '../../lib/io.ts';
import { createServiceMetrics } from '../../service/metrics.ts';
import { createModel, ModelUnavailable } from '../../service/model/model.ts';
import { readModelSettings } from '../../service/model/settings.ts';
import { openStore } from '../../service/store/store.ts';

const NAME = 'language model';

/** Whether the model answers with a call of a tool, over a stream, and what asking it cost. */
export async function checkModel(env: Environment, fetch?: typeof globalThis.fetch): Promise<CheckResult[]> {
  const read = readModelSettings(env);
  if ('problems' in read)
    return read.problems.map((problem) => failed(NAME, problem, 'fix it and run this again'));
  const { settings } = read;
  if (settings === null) return [];
  const store = await openStore({ file: ':memory:' });
  const model = createModel(settings, {
    requests: store.modelRequests,
    clock: systemClock,
    log: createLogger('silent'),
    metrics: createServiceMetrics(),
    ...(fetch === undefined ? {} : { fetch }),
  });
  const session = model.begin(new AbortController().signal);
  const of = `${settings.name} at ${model.host}`;
  try {
    const { calls } = await session.complete(
      {
        system: 'Call the function ready, and write nothing.',
        messages: [{ role: 'user', text: 'Are you ready?' }],
        tools: [
          {
            name: 'ready',
            description: 'Says that the model is ready.',
            parameters: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
          },
        ],
        mostOutput: 300,
      },
      { organization: 'doctor', issue: null, use: 'check' },
    );
    const { tokens } = await model.today();
    if (calls.some(({ name }) => name === 'ready'))
      return [
        passed(
          NAME,
          `${of} streams and calls tools; it is used for ${settings.uses.join(', ') || 'nothing'}; this check took ${tokens} tokens`,
        ),
      ];
    return [
      failed(
        NAME,
        `${of} answers, but calls no tool (this check took ${tokens} tokens)`,
        'choose a model that supports tool calls, or turn them on at its server',
      ),
    ];
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    const [what = '', fix = 'check MODEL_URL and that its server is up'] = error.message.split(': ');
    return [failed(NAME, `${of}: ${what}`, fix)];
  } finally {
    session.end();
    await store.close();
  }
}

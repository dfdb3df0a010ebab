import { describe, expect, it } from 'vitest';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { readActions } from '../../../src/service/actions.ts';
import { known } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { MINUTE, run } from './cases.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const trial = {
  seed: 5,
  fault: { kind: 'bad_deploy' as const, service: 'payments', from: NOON, to: NOON + 30 * MINUTE },
  service: 'payments',
  triggeredAt: NOON + 8 * MINUTE,
};

/** The first steps of a bad deploy of `payments` with that file of `ACTIONS`. */
async function stepsWith(file: string, own: Partial<TelemetrySource> = {}) {
  const read = readActions(file);
  if ('wrong' in read) throw new Error(read.wrong);
  const { results } = await run(trial, 'Errors', { actions: read.actions, ...own });
  return (results.remediation.actions[0]?.steps ?? []).map(
    ({ title, type, content, required, helpMarkdown }) => ({ title, type, content, required, helpMarkdown }),
  );
}

/** The shop, whose deploys have another version. */
function deploying(version: string, before: string): Partial<TelemetrySource> {
  const shop = createShop({ seed: 5, injected: () => [trial.fault], recurring: false });
  return {
    changes: async (window, budget) => {
      const reading = await shop.changes(window, budget);
      return reading.known ? known(reading.value.map((change) => ({ ...change, version, before }))) : reading;
    },
  };
}

describe('the team’s own way back', () => {
  it('comes first, filled in, a copy away', async () => {
    const [first, second] = await stepsWith(
      'cart bad-deploy no\npay* bad-deploy Roll back in CI :: ci rollback {service} --from {version} --to {previous}',
      deploying('2.4.0', '2.3.9'),
    );
    expect(first).toEqual({
      title: 'Roll back in CI',
      type: 'command',
      content: 'ci rollback payments --from 2.4.0 --to 2.3.9',
      required: true,
      helpMarkdown: 'From your `ACTIONS` file.',
    });
    expect(second?.title).toBe('Check that no migration blocks the rollback');
  });

  it('is a page where the file has an address', async () => {
    const [first] = await stepsWith(
      'payments * https://ci.example/{service}/{version}',
      deploying('2.4.0+7', '2.3'),
    );
    expect(first).toMatchObject({
      title: 'Open your page for it',
      type: 'info',
      content: 'https://ci.example/payments/2.4.0%2B7',
    });
  });

  it.each([
    '$(reboot)',
    '2.4; reboot',
    '`reboot`',
    '--force',
    "2'4",
    '2\n4',
    '2.4 && x',
    '',
    'x'.repeat(200),
  ])('is never filled in with %j, and is then no command', async (version) => {
    const [first] = await stepsWith(
      'payments bad-deploy ci undo {version} {service}',
      deploying(version, '2.3'),
    );
    expect(first).toEqual({
      title: 'Run your command',
      type: 'check',
      content: '`ci undo {version} payments`',
      required: true,
      helpMarkdown:
        'From your `ACTIONS` file. Fill in {version} yourself: telemetry has no value that is safe to put into a command.',
    });
  });

  it('comes last, and is not required, while the change is only suspected', async () => {
    const quiet = { logs: async () => known([]) };
    const steps = await stepsWith('payments * ci undo {service}', quiet);
    expect(steps.at(-1)).toMatchObject({
      title: 'Run your command (if that is the cause)',
      content: 'ci undo payments',
      required: false,
    });
  });

  it('is not named for another service or another kind', async () => {
    const titles = (await stepsWith('cart * x\npayments disk-full y')).map(({ title }) => title);
    expect(titles[0]).toBe('Check that no migration blocks the rollback');
  });
});

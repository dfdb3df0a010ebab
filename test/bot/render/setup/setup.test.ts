import { expect, it } from 'vitest';
import { type SetupSteps, setupBlocks, setupLines } from '../../../../src/bot/render/setup/setup.ts';

const nothing: SetupSteps = {
  service: false,
  simulated: false,
  watching: false,
  filed: false,
  verdict: false,
  asked: false,
};

it('ticks off what is done and says how to do what comes next', () => {
  expect(setupLines({ ...nothing, service: true })).toEqual([
    '✅ Add Gumshoe to Slack',
    '✅ Connect the investigation service',
    '👉 *Watch an alert channel*: Type `/invite @Gumshoe` in the channel, then run `/gumshoe watch` there.',
    '⬜ File the first issue',
    '⬜ Read the first verdict',
    '⬜ Ask a follow-up question',
  ]);
});

it('explains one step at a time, until the last', () => {
  const done = { ...nothing };
  for (const step of ['service', 'watching', 'filed', 'verdict', 'asked'] as const) {
    expect(setupLines(done).filter((line) => line.startsWith('👉'))).toHaveLength(1);
    done[step] = true;
  }
  expect(setupLines(done).every((line) => line.startsWith('✅'))).toBe(true);
});

it('tells a simulated service from one that does not answer', () => {
  expect(setupLines(nothing).join('\n')).toContain('`npm run doctor` says what is wrong');
  expect(setupLines({ ...nothing, simulated: true }).join('\n')).toContain('Set `PROMETHEUS_URL`');
});

it('names the document that explains the steps', () => {
  expect(JSON.stringify(setupBlocks(nothing))).toContain('docs/quickstart.md');
});

import type { PageMessage } from 'local-slack';
import { afterEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { wordsOf } from '../support/alerts.ts';
import { ALICE } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type StagedService, startStagedService } from '../support/proxies/staged-service.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let staged: StagedService;
let bot: Bot;

afterEach(async () => {
  await bot.stop();
  await staged.close();
  await around.close();
});

async function begin(): Promise<void> {
  around = await startSurroundings('socket');
  staged = await startStagedService(around.service.url);
  around = { ...around, env: { ...around.env, ISSUE_SERVICE_URL: staged.url } };
  bot = await startBotOn(around);
}

/** A person asks for an investigation. */
async function investigate(text: string): Promise<void> {
  const { workspace } = around;
  const asked = { as: ALICE, channel: workspace.channels.general, command: '/investigate' };
  expect(
    await workspace.command({ ...asked, text: `${text} severity:high env:production service:payments` }),
  ).toEqual({ ok: true });
}

const inGeneral = () => around.workspace.messages(around.workspace.channels.general);
const cardOf = (title: string) => inGeneral().find((message) => wordsOf(message).includes(title));
const blocksOf = (message: PageMessage | undefined) => (message?.blocks ?? []).map(Object);
const typesIn = (message: PageMessage | undefined) => blocksOf(message).map(({ type }) => type);

function resultsOf(title: string): PageMessage[] {
  const card = cardOf(title);
  const thread = card ? around.workspace.messages(around.workspace.channels.general, card.ts).slice(1) : [];
  return thread.filter((message) => /Results of/u.test(wordsOf(message)));
}

function isInvestigating(title: string): boolean {
  const card = cardOf(title);
  return card !== undefined && /Investigating/u.test(wordsOf(card));
}

/** The steps that a card shows; empty without a plan. */
function steps(title: string): string[] {
  const plan = blocksOf(cardOf(title)).find(({ type }) => type === 'plan');
  return (plan?.tasks ?? []).map(({ status }: { status: string }) => status);
}

describe('an investigation that a person asked for', () => {
  it('shows its steps as they are done, also after a restart, and ends as the verdict', async () => {
    await begin();
    await investigate('payments fails');
    await until('the alert is read', () => steps('payments fails')[0] === 'in_progress');

    staged.stage = 'overview';
    await until('the telemetry is queried', () => steps('payments fails')[1] === 'in_progress');

    await bot.stop();
    staged.stage = 'evidence';
    bot = await startBotOn(around);
    await until('the results are written', () => steps('payments fails')[3] === 'in_progress');
    expect(JSON.stringify(cardOf('payments fails'))).toMatch(/\d+ pieces of evidence, \d+ ruled out/u);

    staged.stage = 'done';
    const card = await until('it has ended', () => {
      const shown = cardOf('payments fails');
      return shown && /Ready to fix/u.test(wordsOf(shown)) ? shown : undefined;
    });
    expect(steps('payments fails')).toEqual([]);
    expect(wordsOf(card)).toMatch(/\*Root cause\* · .+\nBad deploy of payments/u);
    await until('its results stand', () => resultsOf('payments fails')[0]);
  });
});

describe('results in a workspace that has every block', () => {
  it('fold steps, evidence and timeline away, and leave verdict and what to do first open', async () => {
    await begin();
    staged.stage = 'done';
    await investigate('payments fails');
    const message = await until('the results stand', () => resultsOf('payments fails')[0]);
    const folded = blocksOf(message).filter(({ type }) => type === 'container');
    expect(folded.map(({ title }) => title.text)).toEqual([
      expect.stringMatching(/^Steps · 1\. /u),
      expect.stringMatching(/^Steps · 2\. /u),
      expect.stringMatching(/^Causal chain/u),
      expect.stringMatching(/^Evidence · \d+/u),
      expect.stringMatching(/^Ruled out · \d+/u),
      expect.stringMatching(/^Timeline · \d+/u),
    ]);
    expect(folded.every(({ default_collapsed }) => default_collapsed)).toBe(true);
    expect(wordsOf(message)).toMatch(/^#1 payments fails: root cause: Bad deploy of payments/u);
    const open = blocksOf(message).filter(({ type }) => type !== 'container');
    expect(JSON.stringify(open)).toMatch(/\*Root cause\*[\s\S]*\*Do first:\*/u);
  });
});

describe('a workspace that has not all blocks', () => {
  it('gets each message once, without folds and charts, and its steps can be marked as done', async () => {
    await begin();
    around.workspace.setFaults({ refusedBlocks: ['container', 'plan', 'data_visualization'] });
    await investigate('payments fails');
    await until('the card stands', () => isInvestigating('payments fails'));
    staged.stage = 'done';
    const [results] = await until('the results stand', () => {
      const found = resultsOf('payments fails');
      return found.length > 0 && found;
    });
    expect(new Set(typesIn(results))).toEqual(new Set(['context', 'section', 'actions', 'context_actions']));
    expect(JSON.stringify(results?.blocks)).toMatch(/\*Root cause\*[\s\S]*\*Steps · [\s\S]*step:tick/u);
    expect(resultsOf('payments fails')).toHaveLength(1);
    expect(inGeneral()).toHaveLength(1);
  });
});

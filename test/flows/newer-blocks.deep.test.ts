import type { PageMessage } from 'local-slack';
import { afterEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { wordsOf } from '../support/alerts.ts';
import { ALICE } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { tablesOfProgram } from '../support/program-database.ts';
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
  it('fold evidence and timeline away, and leave verdict, cause and what to do open', async () => {
    await begin();
    staged.stage = 'done';
    await investigate('payments fails');
    const message = await until('the results stand', () => resultsOf('payments fails')[0]);
    const folded = blocksOf(message).filter(({ type }) => type === 'container');
    expect(folded.map(({ title }) => title.text)).toEqual([
      expect.stringMatching(/^Evidence · \d+/u),
      expect.stringMatching(/^Ruled out · \d+/u),
      expect.stringMatching(/^Timeline · \d+/u),
    ]);
    expect(folded.every(({ default_collapsed }) => default_collapsed)).toBe(true);
    expect(wordsOf(message)).toMatch(/^#1 payments fails: root cause: Bad deploy of payments/u);
    const open = blocksOf(message).filter(({ type }) => type !== 'container');
    expect(JSON.stringify(open)).toMatch(/\*Root cause\*[\s\S]*\*Remediation\*/u);
  });
});

describe('a workspace that has not all blocks', () => {
  it('gets the forms of before: each message once, none lost, asked once, also after a restart', async () => {
    await begin();
    const { workspace } = around;
    workspace.setFaults({ refusedBlocks: ['container', 'plan', 'data_visualization'] });
    await investigate('payments fails');
    await until('the card stands', () => isInvestigating('payments fails'));
    staged.stage = 'done';
    const first = await until('the results stand', () => resultsOf('payments fails')[0]);
    expect(typesIn(first)).not.toContain('container');
    expect(wordsOf(first)).toMatch(/\*Evidence · \d+.*\*\n• /u);
    expect(wordsOf(first)).toMatch(/\*Timeline · \d+\*\n/u);
    expect(steps('payments fails')).toEqual([]);

    // The workspace has them by now. What it refused is remembered all the same.
    await bot.stop();
    workspace.setFaults({ refusedBlocks: [] });
    staged.stage = 'nothing';
    bot = await startBotOn(around);
    await investigate('payments is slow');
    await until('the card stands', () => isInvestigating('payments is slow'));
    staged.stage = 'done';
    const second = await until('the results stand', () => resultsOf('payments is slow')[0]);
    expect(typesIn(second)).not.toContain('container');
    expect(resultsOf('payments fails')).toHaveLength(1);
    expect(resultsOf('payments is slow')).toHaveLength(1);
    expect(inGeneral()).toHaveLength(2);
  });

  it('draws charts itself where the bot may not upload files', async () => {
    await begin();
    around.workspace.setFaults({ withheldScopes: ['files:write'] });
    staged.stage = 'done';
    await investigate('payments fails');
    const message = await until('a chart stands in the results', () =>
      resultsOf('payments fails').find((one) => typesIn(one).includes('data_visualization')),
    );
    expect(typesIn(message).filter((type) => type === 'data_visualization').length).toBeLessThanOrEqual(2);
    expect(typesIn(message)).not.toContain('image');
  });

  it('shows neither pictures nor charts where it takes neither, and the results once', async () => {
    await begin();
    around.workspace.setFaults({ withheldScopes: ['files:write'], refusedBlocks: ['data_visualization'] });
    staged.stage = 'done';
    await investigate('payments fails');
    const flags = async () => JSON.stringify((await tablesOfProgram(around)).flags);
    await until('the chart was refused', async () => (await flags()).includes('data_visualization'));
    const [message, ...more] = resultsOf('payments fails');
    expect(typesIn(message)).not.toContain('data_visualization');
    expect(typesIn(message)).not.toContain('image');
    expect(typesIn(message)).toContain('container');
    expect(more).toEqual([]);
  });
});

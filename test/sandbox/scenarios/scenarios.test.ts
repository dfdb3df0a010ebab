import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BotControl, BotControlError } from '../../../src/sandbox/scenarios/bot-command.ts';
import { createStage, type PlayedStage } from '../../../src/sandbox/scenarios/control-panel.ts';
import { scenarios } from '../../../src/sandbox/scenarios/scenarios/index.ts';
import { type SimulatedService, startSimulatedService } from '../../../src/sandbox/simulated-service.ts';
import { startWorkspace } from '../../../src/sandbox/slack/server.ts';
import type { Workspace } from '../../../src/sandbox/slack/workspace.ts';
import { projectRoot } from '../../support/files.ts';
import { handClock } from '../../support/hand-clock.ts';
import { type InstantClock, instantClock } from '../../support/instant-clock.ts';
import { MANIFEST } from '../../support/program.ts';
import { until } from '../../support/until.ts';

let folder: string;
let clock: InstantClock;
let service: SimulatedService;
let workspace: Workspace;
let deeds: string[];
let failures: unknown[];
let stop: AbortController;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-scenarios-'));
  clock = instantClock();
  service = await startSimulatedService({ file: ':memory:', keys: {}, clock, recurring: false });
  workspace = await startWorkspace({ file: join(folder, 'workspace.db'), manifest: MANIFEST });
  deeds = [];
  failures = [];
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await workspace.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function stageWith(bot?: BotControl): PlayedStage {
  return createStage({
    workspace: () => workspace,
    service,
    bot,
    clock,
    signal: stop.signal,
    onFailure: (error) => failures.push(error),
  });
}

/** A bot that does whatever it is told. */
const obedient: BotControl = {
  state: () => 'running',
  do: async (deed) => {
    deeds.push(deed);
  },
  onChange: () => {},
};

function alerts() {
  return workspace.messages(workspace.channels.alerts).filter(({ bot_id }) => bot_id !== undefined);
}

describe('the scenarios', () => {
  it('are all that the folder holds, each of a name of its own', () => {
    const files = readdirSync(join(projectRoot, 'src/sandbox/scenarios/scenarios')).filter(
      (file) => file !== 'index.ts',
    );
    expect(scenarios.map(({ name }) => `${name}.ts`).sort()).toEqual(files.sort());
  });

  it.each(scenarios)('$name can be played to its end', async ({ name, steps }) => {
    const stage = stageWith(obedient);
    await stage.perform(name);
    const posts = steps.map((step) => {
      if (step.do !== 'alert') return 0;
      return step.how === 'storm' ? 100 : 1;
    });
    expect(alerts()).toHaveLength(posts.reduce((sum: number, one) => sum + one, 0));
    expect(deeds).toEqual(steps.flatMap((step) => (step.do === 'bot' ? [step.deed] : [])));
    expect(stage.view().service).toEqual({ down: false });
  });

  it('mend the shop first, and leave broken what they broke', async () => {
    const stage = stageWith();
    await stage.breakShop({ fault: 'slow_query', service: 'orders-db' });
    await stage.perform('payments-deploy');
    expect(stage.view().shop?.broken).toMatchObject([{ kind: 'bad_deploy', service: 'payments' }]);
  });

  it('take turns in beginning where nobody chooses', async () => {
    const stage = stageWith();
    for (let n = 0; n < 4; n += 1) await stage.perform();
    expect(service.faults().map(({ kind }) => kind)).toEqual([
      'bad_deploy',
      'slow_query',
      'config_change',
      'bad_deploy',
    ]);
  });
});

describe('what is played from the page', () => {
  it('is refused in a sentence where there is no such thing', async () => {
    const stage = stageWith();
    const channel = workspace.channels.alerts;
    expect(await stage.play('nonsense')).toEqual({
      ok: false,
      error: expect.stringMatching(
        /^No scenario is called "nonsense" here; there are payments-deploy, .*quiet\.$/,
      ),
    });
    expect(await stage.alert({ tool: 'abacus', how: 'fires', channel })).toEqual({
      ok: false,
      error: expect.stringMatching(/^No tool is called "abacus" here; there are alertmanager, /),
    });
    expect(await stage.alert({ tool: 'sentry', how: 'recovers', channel })).toEqual({
      ok: false,
      error: 'No alert of Sentry is firing in this channel: play one first.',
    });
    expect(await stage.alert({ tool: 'sentry', how: 'again', channel })).toEqual({
      ok: false,
      error: 'No alert of Sentry was played in this channel yet: play one first.',
    });
    expect(await stage.alert({ tool: 'falco', how: 'recovers', channel })).toEqual({
      ok: false,
      error: 'Falco never says that something is over.',
    });
    expect(await stage.bot('kill')).toEqual({
      ok: false,
      error: 'Gumshoe was not started from here, so it cannot be stopped or started.',
    });
  });

  it('follows on what the same tool posted in the same channel', async () => {
    const stage = stageWith();
    const { alerts: here, general: there } = workspace.channels;
    expect(await stage.alert({ tool: 'icinga', how: 'fires', channel: here })).toEqual({ ok: true });
    expect(await stage.alert({ tool: 'icinga', how: 'recovers', channel: there })).toMatchObject({
      ok: false,
    });
    expect(await stage.alert({ tool: 'nagios', how: 'again', channel: here })).toMatchObject({ ok: false });
    expect(await stage.alert({ tool: 'icinga', how: 'recovers', channel: here })).toEqual({ ok: true });
    expect(alerts().map(({ text }) => /STATE: (\w+)/.exec(text)?.[1])).toEqual(['CRITICAL', 'OK']);
  });

  it('stands on the page under the name that its tool has in Slack', async () => {
    const stage = stageWith();
    const channel = workspace.channels.alerts;
    for (const tool of ['datadog', 'icinga', 'azure']) await stage.alert({ tool, how: 'fires', channel });
    expect(alerts().map(({ username }) => username)).toEqual(['Datadog', 'icinga2', 'Azure Alerts']);
  });

  it('says so where the message is gone that a tool would edit, and where the channel is archived', async () => {
    const stage = stageWith();
    const channel = workspace.channels.alerts;
    await stage.alert({ tool: 'pagerduty', how: 'fires', channel });
    await workspace.remove(channel, alerts()[0]?.ts ?? '');
    expect(await stage.alert({ tool: 'pagerduty', how: 'recovers', channel })).toEqual({
      ok: false,
      error: 'The message of that alert is gone: play the alert anew.',
    });
    await workspace.archive(channel);
    expect(await stage.alert({ tool: 'grafana', how: 'fires', channel })).toEqual({
      ok: false,
      error: 'This channel is archived: choose another one.',
    });
  });

  it('names what is broken, the newest first to be named', async () => {
    const stage = stageWith();
    await stage.breakShop({ fault: 'disk_full', service: 'payments-db' });
    await stage.breakShop({ fault: 'memory_leak', service: 'cart' });
    await stage.alert({ tool: 'dynatrace', how: 'fires', channel: workspace.channels.alerts });
    expect(alerts()[0]?.text).toContain('Memory almost used up of cart');
  });

  it('is one scenario at a time, and tells of each change', async () => {
    const clockThatStands = handClock();
    let changes = 0;
    const stage = createStage({
      workspace: () => workspace,
      service,
      clock: clockThatStands,
      signal: stop.signal,
      onFailure: (error) => failures.push(error),
    });
    stage.onChange(() => {
      changes += 1;
    });
    expect(await stage.play('payments-deploy')).toEqual({ ok: true });
    expect(await stage.play('storm')).toEqual({
      ok: false,
      error: '“A bad deploy” is being played: wait until it has ended.',
    });
    await until('it has told that the shop is broken', () => changes > 0);
    await until('it ends', () => {
      clockThatStands.advance(1_000);
      return alerts().length === 1;
    });
    await until('another may begin', async () => (await stage.play('quiet')).ok);
    expect(failures).toEqual([]);
  });

  it('that cannot go on is told, and no scenario that needs the bot is there without it', async () => {
    expect(
      stageWith()
        .view()
        .scenarios.map(({ name }) => name),
    ).not.toContain('bot-killed');
    const stage = stageWith({
      ...obedient,
      do: async () => {
        throw new BotControlError('Gumshoe is already down.');
      },
    });
    expect(await stage.bot('kill')).toEqual({ ok: false, error: 'Gumshoe is already down.' });
    expect(await stage.play('bot-killed')).toEqual({ ok: true });
    await until('it is told', () => failures.length === 1);
    expect(String(failures[0])).toContain('Gumshoe is already down.');
  });

  it('is only alerts where the service is a real one', async () => {
    const stage = createStage({
      workspace: () => workspace,
      service: null,
      bot: obedient,
      clock,
      signal: stop.signal,
      onFailure: () => {},
    });
    expect(stage.view()).toMatchObject({
      scenarios: [],
      shop: null,
      service: null,
      bot: { state: 'running' },
    });
    const refused = {
      ok: false,
      error: 'The investigation service is a real one: only alerts can be played.',
    };
    expect(await stage.play('quiet')).toEqual(refused);
    expect(await stage.service(true)).toEqual(refused);
    expect(await stage.mendShop()).toEqual(refused);
    const alert = { tool: 'zabbix', how: 'fires', channel: workspace.channels.alerts } as const;
    expect(await stage.alert(alert)).toEqual({ ok: true });
  });
});

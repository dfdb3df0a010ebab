import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkspace, type Workspace } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scenarios } from '../../../src/demo/scenarios/catalogue.ts';
import { createControlPanel, type DemoControlPanel } from '../../../src/demo/scenarios/control-panel.ts';
import { type SimulatedService, startSimulatedService } from '../../../src/demo/simulated-service.ts';
import { type InstantClock, instantClock, manualClock } from '../../support/manual-clock.ts';
import { MANIFEST } from '../../support/program.ts';
import { until } from '../../support/until.ts';

let folder: string;
let clock: InstantClock;
let service: SimulatedService;
let workspace: Workspace;
let failures: unknown[];
let stop: AbortController;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-scenarios-'));
  clock = instantClock();
  service = await startSimulatedService({ file: ':memory:', keys: {}, clock, recurring: false });
  workspace = await startWorkspace({ file: join(folder, 'workspace.db'), manifest: MANIFEST });
  failures = [];
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await workspace.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function openPanel(): DemoControlPanel {
  return createControlPanel({
    workspace: () => workspace,
    service,
    clock,
    signal: stop.signal,
    onFailure: (error) => failures.push(error),
  });
}

function alerts() {
  return workspace.messages(workspace.channels.alerts).filter(({ bot_id }) => bot_id !== undefined);
}

describe('the scenarios', () => {
  it('have unique names that fit on a command line', () => {
    const names = scenarios.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/u.test(name))).toEqual([]);
    expect(names).toHaveLength(10);
  });

  it.each(scenarios)('$name can be played to its end', async ({ name, steps }) => {
    const panel = openPanel();
    await panel.playToEnd(name);
    const posts = steps.map((step) => {
      if (step.do !== 'alert') return 0;
      return step.how === 'storm' ? 100 : 1;
    });
    expect(alerts()).toHaveLength(posts.reduce((sum: number, one) => sum + one, 0));
    expect(panel.view().service).toEqual({ down: false });
  });

  it('mend the shop first, and leave broken what they broke', async () => {
    const panel = openPanel();
    await panel.calls.break?.({ fault: 'slow_query', service: 'orders-db' });
    await panel.playToEnd('payments-deploy');
    expect(panel.view().shop?.broken).toMatchObject([{ kind: 'bad_deploy', service: 'payments' }]);
  });

  it('take turns in beginning where nobody chooses', async () => {
    const panel = openPanel();
    for (let n = 0; n < 4; n += 1) await panel.playToEnd();
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
    const panel = openPanel();
    const channel = workspace.channels.alerts;
    expect(await panel.calls.play?.({ scenario: 'nonsense' })).toEqual({
      ok: false,
      error: expect.stringMatching(
        /^There is no scenario "nonsense"\. Available: payments-deploy, .*quiet\.$/,
      ),
    });
    expect(await panel.calls.alert?.({ tool: 'abacus', how: 'fires', channel })).toEqual({
      ok: false,
      error: expect.stringMatching(/^There is no tool "abacus"\. Available: alertmanager, /),
    });
    expect(await panel.calls.alert?.({ tool: 'sentry', how: 'recovers', channel })).toEqual({
      ok: false,
      error: 'Sentry has no firing alert in this channel. Fire one first.',
    });
    expect(await panel.calls.alert?.({ tool: 'sentry', how: 'again', channel })).toEqual({
      ok: false,
      error: 'Sentry has posted no alert in this channel yet. Fire one first.',
    });
    expect(await panel.calls.alert?.({ tool: 'falco', how: 'recovers', channel })).toEqual({
      ok: false,
      error: 'Falco does not report recoveries.',
    });
  });

  it('follows on what the same tool posted in the same channel', async () => {
    const panel = openPanel();
    const { alerts: here, general: there } = workspace.channels;
    expect(await panel.calls.alert?.({ tool: 'icinga', how: 'fires', channel: here })).toEqual({ ok: true });
    expect(await panel.calls.alert?.({ tool: 'icinga', how: 'recovers', channel: there })).toMatchObject({
      ok: false,
    });
    expect(await panel.calls.alert?.({ tool: 'nagios', how: 'again', channel: here })).toMatchObject({
      ok: false,
    });
    expect(await panel.calls.alert?.({ tool: 'icinga', how: 'recovers', channel: here })).toEqual({
      ok: true,
    });
    expect(alerts().map(({ text }) => /STATE: (\w+)/.exec(text)?.[1])).toEqual(['CRITICAL', 'OK']);
  });

  it('stands on the page under the name that its tool has in Slack', async () => {
    const panel = openPanel();
    const channel = workspace.channels.alerts;
    for (const tool of ['datadog', 'icinga', 'azure'])
      await panel.calls.alert?.({ tool, how: 'fires', channel });
    expect(alerts().map(({ username }) => username)).toEqual(['Datadog', 'icinga2', 'Azure Alerts']);
  });

  it('says so where the message is gone that a tool would edit, and where the channel is archived', async () => {
    const panel = openPanel();
    const channel = workspace.channels.alerts;
    await panel.calls.alert?.({ tool: 'pagerduty', how: 'fires', channel });
    await workspace.remove(channel, alerts()[0]?.ts ?? '');
    expect(await panel.calls.alert?.({ tool: 'pagerduty', how: 'recovers', channel })).toEqual({
      ok: false,
      error: 'The message of that alert is gone. Fire a new one.',
    });
    await workspace.archive(channel);
    expect(await panel.calls.alert?.({ tool: 'grafana', how: 'fires', channel })).toEqual({
      ok: false,
      error: 'This channel is archived. Choose another one.',
    });
  });

  it('names what is broken, the newest first to be named', async () => {
    const panel = openPanel();
    await panel.calls.break?.({ fault: 'disk_full', service: 'payments-db' });
    await panel.calls.break?.({ fault: 'memory_leak', service: 'cart' });
    await panel.calls.alert?.({ tool: 'dynatrace', how: 'fires', channel: workspace.channels.alerts });
    expect(alerts()[0]?.text).toContain('Memory almost used up of cart');
  });

  it('is one scenario at a time, and tells of each change', async () => {
    const clockThatStands = manualClock();
    let changes = 0;
    const panel = createControlPanel({
      workspace: () => workspace,
      service,
      clock: clockThatStands,
      signal: stop.signal,
      onFailure: (error) => failures.push(error),
    });
    panel.onChange(() => {
      changes += 1;
    });
    expect(await panel.calls.play?.({ scenario: 'payments-deploy' })).toEqual({ ok: true });
    expect(await panel.calls.play?.({ scenario: 'storm' })).toEqual({
      ok: false,
      error: '“Bad deploy” is still running. Wait until it has finished.',
    });
    await until('it has told that the shop is broken', () => changes > 0);
    await until('it ends', () => {
      clockThatStands.advance(1_000);
      return alerts().length === 1;
    });
    await until(
      'another may begin',
      async () => (await panel.calls.play?.({ scenario: 'quiet' }))?.ok === true,
    );
    expect(failures).toEqual([]);
  });

  it('that cannot go on is told', async () => {
    const panel = openPanel();
    await workspace.archive(workspace.channels.alerts);
    expect(await panel.calls.play?.({ scenario: 'storm' })).toEqual({ ok: true });
    await until('it is told', () => failures.length === 1);
    expect(String(failures[0])).toContain('is_archived');
  });

  it('is only alerts where the service is a real one', async () => {
    const panel = createControlPanel({
      workspace: () => workspace,
      service: null,
      clock,
      signal: stop.signal,
      onFailure: () => {},
    });
    expect(panel.view()).toMatchObject({
      scenarios: [],
      shop: null,
      service: null,
    });
    const refused = {
      ok: false,
      error: 'With a real investigation service, only alerts can be posted.',
    };
    expect(await panel.calls.play?.({ scenario: 'quiet' })).toEqual(refused);
    expect(await panel.calls.service?.({ down: true })).toEqual(refused);
    expect(await panel.calls.mend?.({})).toEqual(refused);
    const alert = { tool: 'zabbix', how: 'fires', channel: workspace.channels.alerts } as const;
    expect(await panel.calls.alert?.(alert)).toEqual({ ok: true });
  });
});

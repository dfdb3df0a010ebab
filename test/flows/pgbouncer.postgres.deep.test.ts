import { expect, inject, it, onTestFinished } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { openStore as openServiceStore } from '../../src/service/store/store.ts';
import { alertmanagerAlert, repliesTo } from '../support/alerts.ts';
import { createDatabase } from '../support/postgres/databases.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/postgres/pgbouncer.ts';
import { startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const canRun = hasPgBouncer();

async function startPooler(): Promise<PgBouncer> {
  const pooler = await startPgBouncer(inject('postgresSocket'));
  onTestFinished(() => pooler.close());
  return pooler;
}

async function leads({ url }: Bot): Promise<boolean> {
  return (await (await fetch(`${url}/metrics`)).text()).includes('gumshoe_leader 1');
}

it.skipIf(!canRun)('two replicas behind PgBouncer do everything once, also where it restarts', async () => {
  const around = await startSurroundings('http');
  onTestFinished(() => around.close());
  const pooler = await startPooler();
  const direct = around.env.DATABASE_URL ?? '';
  const start = async () => {
    const env = { DATABASE_URL: pooler.url(direct), DATABASE_DIRECT_URL: direct };
    const bot = await startBotOn(around, { env });
    onTestFinished(() => bot.stop());
    return bot;
  };
  const first = await start();
  await until('the first one leads', () => leads(first));
  const second = await start();

  const before = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await until('its results are there', () => repliesTo(around, before.ts).length > 1);
  await pooler.restart();
  const after = await around.workspace.post(alertmanagerAlert('LatencyHigh'));
  await until('its results are there', () => repliesTo(around, after.ts).length > 1);

  // Which one does not matter: on a busy machine the lead may have moved.
  await until('one of them leads, and only one', async () => (await leads(first)) !== (await leads(second)));
  for (const { ts } of [before, after]) {
    expect(repliesTo(around, ts).filter(({ text }) => /#\d+/u.test(text))).toHaveLength(2);
  }
});

it.skipIf(!canRun)('the service behind PgBouncer tells its other replicas of work', async () => {
  const pooler = await startPooler();
  const { url: directUrl } = await createDatabase();
  const open = async () => {
    const location = { url: pooler.url(directUrl), directUrl, onConnectionLost: () => undefined };
    const store = await openServiceStore(location);
    onTestFinished(() => store.close());
    return store;
  };
  const [one, other] = [await open(), await open()];
  const told = Promise.withResolvers<void>();
  const listening = other.listen(told.resolve);
  onTestFinished(() => listening.stop());
  const { uuid } = await one.issues.create(
    'acme',
    {
      number: await one.issues.takeNumber('acme'),
      title: 'Checkout fails',
      description: 'One in five',
      environment: 'production',
      severity: 'low',
      triggeredAt: 0,
      context: {},
    },
    0,
  );
  await one.versions.start(uuid, 0);
  await told.promise;
  expect(await other.versions.claim('other', 5)).toHaveLength(1);
});

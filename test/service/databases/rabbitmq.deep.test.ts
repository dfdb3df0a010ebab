import amqp from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabaseInside } from '../../../src/service/databases/databases.ts';
import { looking, steady } from '../../support/databases/looking.ts';
import { missingServer, startRabbitmq, type TestRabbit } from '../../support/databases/servers.ts';
import { until } from '../../support/until.ts';

/** What no look may ever show. */
const PLANTED = 'anna.schmidt@example.com';

describe.skipIf(missingServer('rabbitmq'))('inside RabbitMQ', () => {
  let server: TestRabbit;
  let mq: Awaited<ReturnType<typeof looking>>;
  const ending: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await startRabbitmq();
    mq = await looking(server.settings({ name: 'mq' }));
  });
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });
  afterAll(async () => {
    await mq?.close();
    await server?.stop();
  });

  async function connect(name: string) {
    const connection = await amqp.connect(`amqp://127.0.0.1:${server.amqp}`, {
      clientProperties: { connection_name: name },
    });
    connection.on('error', () => undefined);
    ending.push(() => connection.close().catch(() => undefined));
    return connection.createChannel();
  }
  /** Sends to a queue until the test ends. */
  async function publish(queue: string): Promise<void> {
    const channel = await connect('storefront');
    await channel.assertQueue(queue);
    ending.push(async () => {
      clearInterval(timer);
      await channel.deleteQueue(queue);
    });
    const timer = setInterval(() => {
      for (let i = 0; i < 4; i++) channel.sendToQueue(queue, Buffer.from(PLANTED));
    }, 100);
  }

  describe('five faults', () => {
    it('a queue has no consumer', async () => {
      await publish('parcels');
      const fact = await mq.find('queue-without-consumer');
      expect(fact).toMatchObject({ database: 'mq', object: 'queue parcels', weight: 0.9 });
      expect(fact.sentence).toMatch(
        /^The queue `parcels` has no consumer: [\d,]+ messages wait, and [\d.]+ a second arrive\.$/u,
      );
      expect(JSON.stringify(await mq.look())).not.toContain('anna');
    });

    it('a consumer acknowledges nothing', async () => {
      await publish('invoices');
      const channel = await connect('packer');
      await channel.prefetch(10);
      await channel.consume('invoices', () => undefined, { consumerTag: 'packer-1' });
      const fact = await mq.find('queue-not-acknowledged');
      expect(steady(fact)).toMatch(
        /^The consumer of `invoices` \(`packer-1` \(user guest, from ADDRESS\)\) acknowledges nothing: 10 messages are held, all that its prefetch allows, [\d,]+ more wait/u,
      );
    });

    it('messages come back again and again', async () => {
      await publish('mails');
      const channel = await connect('mailer');
      await channel.prefetch(5);
      let isOn = true;
      await channel.consume(
        'mails',
        (message) => {
          if (message !== null) setTimeout(() => isOn && channel.nack(message, false, true), 20);
        },
        { consumerTag: 'mailer-1' },
      );
      ending.push(() => {
        isOn = false;
        return channel.cancel('mailer-1');
      });
      const fact = await mq.find('queue-redelivered');
      expect(steady(fact)).toMatch(
        /^Messages of `mails` come back again and again: .*nothing ends that \(no delivery limit\); `mailer-1` \(user guest, from ADDRESS\) gives them back\.$/u,
      );
    });

    it('the memory alarm is on, and who publishes is blocked', async () => {
      await publish('orders');
      server.ctl('set_vm_memory_high_watermark', 'absolute', '1MB');
      ending.push(() => server.ctl('set_vm_memory_high_watermark', '0.9'));
      const fact = await until('who is blocked is named', async () =>
        (await mq.look()).facts.find(
          ({ kind, sentence }) => kind === 'alarm' && sentence.includes('storefront'),
        ),
      );
      expect(fact.sentence).toMatch(
        /has its memory alarm on \([\d.]+ MiB of [\d.]+ MiB\): RabbitMQ accepts no more messages from anybody\. 1 connection that publishes is blocked: `storefront` \(user guest, from 127\.0\.0\.1\)\.$/u,
      );
      expect(fact.weight).toBe(0.95);
    });

    it('the disk alarm is on', async () => {
      server.ctl('set_disk_free_limit', '900000GB');
      ending.push(() => server.ctl('set_disk_free_limit', '50MB'));
      // The memory alarm of the test before may still be on: RabbitMQ looks at its memory only now and then.
      const fact = await until('the disk alarm is found', async () =>
        (await mq.look()).facts.find(({ kind, object }) => kind === 'alarm' && object.startsWith('disk of ')),
      );
      expect(fact.sentence).toMatch(/has its disk alarm on/u);
      expect(fact.weight).toBe(0.95);
    });
  });

  describe('three states that look like one', () => {
    it('says nothing of a long queue that drains', async () => {
      const channel = await connect('storefront');
      await channel.assertQueue('backlog');
      ending.push(() => channel.deleteQueue('backlog'));
      for (let i = 0; i < 2_000; i++) channel.sendToQueue('backlog', Buffer.from(PLANTED));
      const consumer = await connect('packer');
      await consumer.prefetch(2);
      let isOn = true;
      ending.push(() => {
        isOn = false;
      });
      await consumer.consume('backlog', (message) => {
        if (message !== null) setTimeout(() => isOn && consumer.ack(message), 20);
      });
      await until(
        'it drains',
        async () =>
          (await mq.look()).facts.length === 0 && (await channel.checkQueue('backlog')).messageCount < 1_900,
      );
      expect(await mq.causes()).toEqual([]);
    });

    it('says nothing of letters that are kept without a consumer, and to which nothing comes', async () => {
      const channel = await connect('storefront');
      await channel.assertQueue('dead-letters');
      ending.push(() => channel.deleteQueue('dead-letters'));
      for (let i = 0; i < 200; i++) channel.sendToQueue('dead-letters', Buffer.from(PLANTED));
      await until('nothing came for a while', async () => (await mq.causes()).length === 0);
      expect(await mq.causes()).toEqual([]);
    });

    it('says nothing of a consumer with one long job and nothing behind it', async () => {
      const channel = await connect('storefront');
      await channel.assertQueue('reports');
      ending.push(() => channel.deleteQueue('reports'));
      channel.sendToQueue('reports', Buffer.from(PLANTED));
      const consumer = await connect('reporter');
      await consumer.prefetch(1);
      await consumer.consume('reports', () => undefined);
      await until('it is held', async () => (await channel.checkQueue('reports')).messageCount === 0);
      expect(await mq.causes()).toEqual([]);
    });
  });

  it('is told which rights its account lacks, and whether it may write', async () => {
    server.ctl('add_user', 'gumshoe', 'secret');
    const check = (user: string) =>
      checkDatabaseInside(
        server.settings({ name: 'mq', user, password: user === 'guest' ? 'guest' : 'secret' }),
      );
    server.ctl('set_user_tags', 'gumshoe', 'management');
    expect((await check('gumshoe')).missing).toEqual([
      {
        what: 'it sees no nodes and no connections of others',
        grant: 'rabbitmqctl set_user_tags gumshoe monitoring',
      },
    ]);
    server.ctl('set_user_tags', 'gumshoe', 'monitoring');
    expect(await check('gumshoe')).toEqual({
      version: expect.stringMatching(/^RabbitMQ \d/u),
      missing: [],
      writes: null,
    });
    expect((await check('guest')).writes).toContain('it is an administrator');
  });
});

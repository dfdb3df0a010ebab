import { z } from 'zod';
import { amount, joinNames } from '../investigation/format.ts';
import { check, command, connectedBy, type Found, fact, info, insideOf, proofOf } from './fact.ts';
import { plainName } from './normalize.ts';
import type { Inside } from './system.ts';

const Rate = z
  .object({
    rate: z.number(),
    /** Counts, the newest first. */
    samples: z.array(z.object({ sample: z.number(), timestamp: z.number() })).optional(),
  })
  .optional();
type Rate = z.infer<typeof Rate>;
const Stats = z
  .object({
    publish_details: Rate,
    deliver_get_details: Rate,
    ack_details: Rate,
    redeliver_details: Rate,
    redeliver: z.number().optional(),
  })
  .optional();

export const Overview = z.object({ rabbitmq_version: z.string(), node: z.string().optional() });
export const Queue = z.object({
  name: z.string(),
  vhost: z.string(),
  type: z.string().optional(),
  state: z.string().optional(),
  messages_ready: z.number().default(0),
  messages_unacknowledged: z.number().default(0),
  consumers: z.number().default(0),
  message_stats: Stats,
  policy: z.string().nullish(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
type Queue = z.infer<typeof Queue>;
export const Consumer = z.object({
  queue: z.object({ name: z.string(), vhost: z.string() }),
  consumer_tag: z.string().default(''),
  ack_required: z.boolean().default(true),
  prefetch_count: z.number().default(0),
  channel_details: z
    .union([
      z.object({
        connection_name: z.string().optional(),
        peer_host: z.string().optional(),
        peer_port: z.union([z.number(), z.string()]).optional(),
        user: z.string().optional(),
      }),
      z.array(z.unknown()).transform(() => ({})),
    ])
    .default({}),
});
type Consumer = z.infer<typeof Consumer>;
export const Connection = z.object({
  name: z.string().default(''),
  user: z.string().nullish(),
  state: z.string().nullish(),
  peer_host: z.string().nullish(),
  client_properties: z
    .union([
      z.object({ connection_name: z.string().optional(), product: z.string().optional() }),
      z.array(z.unknown()).transform(() => ({})),
    ])
    .default({}),
});
type Connection = z.infer<typeof Connection>;
export const Node = z.object({
  name: z.string(),
  running: z.boolean().default(true),
  mem_alarm: z.boolean().optional(),
  disk_free_alarm: z.boolean().optional(),
  mem_used: z.number().optional(),
  mem_limit: z.number().optional(),
  disk_free: z.number().optional(),
  disk_free_limit: z.number().optional(),
  partitions: z.array(z.string()).default([]),
  fd_used: z.number().optional(),
  fd_total: z.number().optional(),
});
type Node = z.infer<typeof Node>;

/** All that one look at RabbitMQ has read. */
export interface RabbitmqReadings {
  nodes: readonly Node[];
  queues: readonly Queue[];
  consumers: readonly Consumer[];
  connections: readonly Connection[];
  isRead: { nodes: boolean; queues: boolean; connections: boolean };
}

export function judgeRabbitmq(database: string, readings: RabbitmqReadings): Omit<Inside, 'unread'> {
  const { queues, connections, isRead } = readings;
  const found = [
    alarms(readings),
    nodesDown(readings),
    queues.flatMap((queue) => ofQueue(queue, readings)),
  ].flat();
  return insideOf({ database, system: 'rabbitmq' }, found, {
    read: [
      ...(isRead.queues ? [`${queues.length} queues and their consumers`] : []),
      ...(isRead.nodes ? ['alarms and nodes'] : []),
      ...(isRead.connections ? [`${connections.length} connections`] : []),
    ],
    connected: connectedBy(connections, whoIs, ([first]) => first?.state ?? ''),
  });
}

/** The rate of the last moment is 0 between two reports of a node: a few of them together tell. */
const OVER_MS = 15_000;

/** Per second, over the last 15 seconds. */
function rateOf(rate: Rate): number {
  const [newest, ...others] = rate?.samples ?? [];
  const before =
    others.find(({ timestamp }) => (newest?.timestamp ?? 0) - timestamp >= OVER_MS) ?? others.at(-1);
  if (newest === undefined || before === undefined || newest.timestamp <= before.timestamp)
    return rate?.rate ?? 0;
  return Math.max(0, (1000 * (newest.sample - before.sample)) / (newest.timestamp - before.timestamp));
}

/** Fewer are no trouble to anybody. */
const FEW = 20;

function ofQueue(queue: Queue, { consumers }: RabbitmqReadings): Found | [] {
  const { messages_ready: ready, messages_unacknowledged: unacked, message_stats: stats } = queue;
  const name =
    queue.vhost === '/' ? plainName(queue.name) : `${plainName(queue.name)} of ${plainName(queue.vhost)}`;
  const [published, delivered, acked, again] = [
    rateOf(stats?.publish_details),
    rateOf(stats?.deliver_get_details),
    rateOf(stats?.ack_details),
    rateOf(stats?.redeliver_details),
  ];
  const own = consumers.filter((one) => one.queue.name === queue.name && one.queue.vhost === queue.vhost);
  const proof = proofOf('GET /api/queues, /api/consumers', [
    {
      queue: name,
      ready,
      unacknowledged: unacked,
      consumers: queue.consumers,
      'published/s': published,
      'delivered/s': delivered,
      'acknowledged/s': acked,
      'redelivered/s': again,
    },
    ...own.slice(0, 10).map((one) => ({
      queue: `consumer ${consumerName(one)}`,
      ready: null,
      unacknowledged: null,
      consumers: one.prefetch_count,
    })),
  ]);
  const shared = { object: `queue ${name}`, since: null, proof } as const;
  const arrive = published > 0 ? `${perSecond(published)} arrive` : 'none arrive at the moment';
  const see = check(
    'See its consumers',
    `rabbitmqctl list_consumers -p ${shell(queue.vhost)} queue_name channel_pid consumer_tag ack_required prefetch_count`,
  );
  // A queue without a consumer to which nothing comes may be meant to hold what it holds.
  if (queue.consumers === 0)
    return ready > 0 && published > 0
      ? {
          ...shared,
          kind: 'queue-without-consumer',
          weight: 0.9,
          sentence: `The queue \`${name}\` has no consumer: ${ready.toLocaleString('en-US')} messages wait, and ${arrive}.`,
          steps: [
            see,
            info(
              'Start its consumer again',
              'Nothing is lost: what waits is delivered when one connects. Look at why the last one left: its log, its deploy, its credentials.',
            ),
          ],
        }
      : [];
  // The same messages come back: more than half of what is delivered was delivered before.
  if (again >= 0.5 && again >= 0.5 * delivered)
    return {
      ...shared,
      kind: 'queue-redelivered',
      weight: 0.85,
      sentence: `Messages of \`${name}\` come back again and again: ${perSecond(again)} of ${perSecond(delivered)} delivered had been delivered before${queue.arguments['x-delivery-limit'] === undefined && queue.type !== 'quorum' ? ', and nothing ends that (no delivery limit)' : ''}${own.length === 0 ? '' : `; ${joinNames(own.slice(0, 3).map(consumerName))} ${own.length === 1 ? 'gives' : 'give'} them back`}.`,
      steps: [
        see,
        check(
          'Look at one such message',
          `rabbitmqadmin get queue=${shell(queue.name)} ackmode=ack_requeue_true count=1`,
        ),
        info(
          'Dead-letter them',
          'The consumer rejects without requeue what it cannot handle, and the queue has a dead-letter exchange; a quorum queue has a delivery limit besides.',
        ),
      ],
    };
  // What is given out is held back while more waits: neither acknowledged nor delivered, with the prefetch used up.
  const room = own.reduce((sum, one) => sum + (one.ack_required ? one.prefetch_count : 0), 0);
  const isHeld = unacked > 0 && acked === 0 && delivered === 0 && ready >= Math.min(FEW, Math.max(1, room));
  if (!isHeld) return [];
  return {
    ...shared,
    kind: 'queue-not-acknowledged',
    weight: 0.85,
    sentence: `The ${queue.consumers === 1 ? 'consumer' : `${queue.consumers} consumers`} of \`${name}\`${own.length === 0 ? '' : ` (${joinNames(own.slice(0, 3).map(consumerName))})`} ${queue.consumers === 1 ? 'acknowledges' : 'acknowledge'} nothing: ${unacked.toLocaleString('en-US')} messages are held${room > 0 && unacked >= room ? ', all that its prefetch allows' : ''}, ${ready.toLocaleString('en-US')} more wait, and ${arrive}.`,
    steps: [
      see,
      info(
        'Look at what the consumer does',
        'It has the messages and is connected: it hangs in a call of its own, or never acknowledges. Its stack or its log says which.',
      ),
      info(
        'Restart the consumer',
        'What it holds goes back to the queue and is delivered again: nothing is lost, some of it may be done twice.',
      ),
    ],
  };
}

/** The program that consumes, and where from. */
function consumerName({ consumer_tag: tag, channel_details: details }: Consumer): string {
  const {
    user,
    peer_host: host,
    peer_port: port,
    connection_name: connection,
  } = { user: undefined, peer_host: undefined, peer_port: undefined, connection_name: undefined, ...details };
  const own = connection !== undefined && !/->/u.test(connection) ? connection : tag;
  const where = [
    ...(user === undefined ? [] : [`user ${plainName(user, 40)}`]),
    ...(host === undefined
      ? []
      : [`from ${plainName(String(host), 60)}${port === undefined ? '' : `:${port}`}`]),
  ];
  return `\`${plainName(own, 60)}\`${where.length === 0 ? '' : ` (${where.join(', ')})`}`;
}

function perSecond(rate: number): string {
  return `${amount(rate, '')} a second`;
}

function whoIs({ name, user, peer_host: host, client_properties: own }: Connection): string {
  const called = { connection_name: undefined, product: undefined, ...own };
  const shown = called.connection_name ?? called.product ?? name;
  return `\`${plainName(shown, 60)}\`${user == null ? '' : ` (user ${plainName(user, 40)}${host == null ? '' : `, from ${plainName(host, 60)}`})`}`;
}

function alarms({ nodes, connections }: RabbitmqReadings): Found | Found[] {
  const held = connections.filter(({ state }) => state === 'blocked');
  const who =
    held.length === 0
      ? ''
      : ` ${held.length === 1 ? '1 connection that publishes is' : `${held.length} connections that publish are`} blocked: ${joinNames([...new Set(held.map(whoIs))].slice(0, 3))}.`;
  const proof = proofOf(
    'GET /api/nodes, /api/connections',
    nodes.map((one) => ({
      node: one.name,
      'memory alarm': one.mem_alarm ?? false,
      'memory used': one.mem_used,
      'memory limit': one.mem_limit,
      'disk alarm': one.disk_free_alarm ?? false,
      'disk free': one.disk_free,
      'disk limit': one.disk_free_limit,
    })),
  );
  const found: Found[] = nodes.flatMap((node): Found[] =>
    [
      node.mem_alarm === true
        ? fact('alarm', `memory of ${plainName(node.name)}`, 0.95, {
            sentence: `\`${plainName(node.name)}\` has its memory alarm on (${amount(node.mem_used ?? 0, 'By')} of ${amount(node.mem_limit ?? 0, 'By')}): RabbitMQ accepts no more messages from anybody.${who}`,
            proof,
            steps: [
              check(
                'See what holds the memory',
                'rabbitmq-diagnostics memory_breakdown; rabbitmqctl list_queues name messages memory',
              ),
              info(
                'Let it drain',
                'Consumers still get messages: more of them, or a faster one, ends the alarm.',
              ),
              command(
                'Raise the limit',
                'rabbitmqctl set_vm_memory_high_watermark 0.7',
                'Until the next restart; the machine must have that memory. Undo with the same command with the old value (0.4, or 0.6 from 4.0 on, by default).',
              ),
            ],
          })
        : [],
      node.disk_free_alarm === true
        ? fact('alarm', `disk of ${plainName(node.name)}`, 0.95, {
            sentence: `\`${plainName(node.name)}\` has its disk alarm on (${amount(node.disk_free ?? 0, 'By')} free, less than ${amount(node.disk_free_limit ?? 0, 'By')}): RabbitMQ accepts no more messages from anybody.${who}`,
            proof,
            steps: [
              check(
                'See what fills the disk',
                'df -h; rabbitmqctl list_queues name messages message_bytes_persistent',
              ),
              info('Free space on its disk', 'The alarm ends by itself when there is enough again.'),
              command(
                'Lower the limit',
                'rabbitmqctl set_disk_free_limit 50MB',
                'Until the next restart; if the disk then fills, the broker stops and may lose messages.',
              ),
            ],
          })
        : [],
    ].flat(),
  );
  if (found.length > 0 || held.length === 0) return found;
  return fact('connections-blocked', 'connections', 0.7, {
    sentence: `RabbitMQ is blocking publishers.${who}`,
    proof: proofOf(
      'GET /api/connections',
      held.map((one) => ({ connection: whoIs(one), state: one.state })),
    ),
    steps: [check('See the alarms', 'rabbitmq-diagnostics alarms')],
  });
}

function nodesDown({ nodes }: RabbitmqReadings): Found | [] {
  const down = nodes.filter(({ running, partitions }) => !running || partitions.length > 0);
  const [first] = down;
  if (first === undefined) return [];
  return fact('node-down', plainName(first.name), 0.8, {
    sentence: `${first.running ? `\`${plainName(first.name)}\` does not see ${joinNames(first.partitions.map((one) => `\`${plainName(one)}\``))}: the cluster is in two parts` : `The ${down.length === 1 ? 'node' : 'nodes'} ${joinNames(down.map(({ name }) => `\`${plainName(name)}\``))} ${down.length === 1 ? 'does' : 'do'} not run`}.`,
    proof: proofOf(
      'GET /api/nodes',
      nodes.map((one) => ({ node: one.name, running: one.running, partitions: one.partitions.join(', ') })),
    ),
    steps: [check('See the cluster', 'rabbitmq-diagnostics cluster_status')],
  });
}

/** A word in a command that people paste. */
function shell(word: string): string {
  return /^[\w./:@-]+$/u.test(word) ? word : `'${word.replaceAll(/['\p{Cc}]/gu, '')}'`;
}

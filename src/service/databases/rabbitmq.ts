import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';
import { Connection, Consumer, judgeRabbitmq, Node, Overview, Queue } from './rabbitmq-facts.ts';
import { Refused, refusedBy, type Session } from './session.ts';
import { type DatabaseSettings, TITLES } from './settings.ts';
import type { Opened, System } from './system.ts';

const TITLE = TITLES.rabbitmq;

/** RabbitMQ 3.8 and later, by its management API, with the tag `monitoring`. */
export const rabbitmq: System = { open };

const MOST_QUEUES = 200;
const MOST_CONNECTIONS = 500;

const QUEUE_COLUMNS =
  'name,vhost,type,state,messages_ready,messages_unacknowledged,consumers,message_stats,policy,arguments,idle_since,node,head_message_timestamp';
const CONNECTION_COLUMNS = 'name,user,state,peer_host,client_properties,blocked_by,channels';

async function open(settings: DatabaseSettings, session: Session): Promise<Opened> {
  const what = `${TITLE} ${settings.name}`;
  const { tls, host, port, path, user, password, database: vhost } = settings;
  const address = host.includes(':') ? `[${host}]` : host;
  const base = `${tls ? 'https' : 'http'}://${address}:${port}${path}/api`;
  const authorization = `Basic ${Buffer.from(`${user === '' ? 'guest' : user}:${password === '' && user === '' ? 'guest' : password}`).toString('base64')}`;

  async function get<T>(schema: z.ZodType<T>, place: string): Promise<T> {
    const answer = schema.safeParse(parseJson(await session.statement(() => read(`${base}${place}`))));
    if (answer.success) return answer.data;
    throw new Refused(
      'not it',
      `${what} at ${host}:${port} did not answer as ${TITLE}’s management API does: check its address in DATABASES.`,
    );
  }

  async function read(url: string): Promise<string> {
    const response = await fetch(url, {
      headers: { authorization, accept: 'application/json' },
      // A redirect would carry the credentials elsewhere.
      redirect: 'manual',
      signal: session.signal,
    });
    const { status } = response;
    if (status !== 200) await response.body?.cancel();
    if (status === 401 || status === 403)
      throw new Refused(
        'denied',
        `${what} refuses the account (${status}): correct it in DATABASES, and give it the tag: ${grant(settings)}`,
      );
    if (status >= 500 || status === 408)
      throw new Refused(
        'unreachable',
        `${what} answers with ${status}: its management API does not reach its nodes.`,
      );
    if (status !== 200)
      throw new Refused(
        'not it',
        `${what} has no management API at this address (${status}): check it in DATABASES.`,
      );
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) {
      session.took(chunk.length);
      session.signal.throwIfAborted();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  const overview = await get(Overview, '/overview').catch((error: unknown) => {
    throw refusedBy(error, settings, TITLE);
  });
  const of = vhost === null ? '' : `/${encodeURIComponent(vhost)}`;
  const queues = () =>
    get(
      Page(Queue),
      `/queues${of}?page=1&page_size=${MOST_QUEUES}&sort=messages&sort_reverse=true&msg_rates_age=30&msg_rates_incr=5&columns=${QUEUE_COLUMNS}`,
    );

  return {
    look: async () => {
      const unread: string[] = [];
      const tried = async <T>(name: string, reading: Promise<T>): Promise<T | null> => {
        try {
          return await reading;
        } catch (error) {
          const { message } = refusedBy(error, settings, TITLE);
          unread.push(`${name} of ${settings.name} were not read: ${message}`);
          return null;
        }
      };
      const nodes = await tried('Nodes and alarms', get(z.array(Node), '/nodes'));
      const all = await tried('Queues', queues());
      const consumers = await tried('Consumers', get(z.array(Consumer), `/consumers${of}`));
      const connections = await tried(
        'Connections',
        get(
          Page(Connection),
          `/connections?page=1&page_size=${MOST_CONNECTIONS}&columns=${CONNECTION_COLUMNS}`,
        ),
      );
      if (all !== null && all.total > all.items.length)
        unread.push(`Only the ${MOST_QUEUES} longest of ${all.total} queues of ${settings.name} were read.`);
      const readings = {
        nodes: nodes ?? [],
        queues: all?.items ?? [],
        consumers: consumers ?? [],
        connections: connections?.items ?? [],
        isRead: { nodes: nodes !== null, queues: all !== null, connections: connections !== null },
      };
      return { ...judgeRabbitmq(settings.name, readings), unread };
    },
    check: async () => {
      const me = await get(WhoAmI, '/whoami');
      const tags = typeof me.tags === 'string' ? me.tags.split(',') : me.tags;
      const isSeeing = tags.some((tag) => ['monitoring', 'administrator'].includes(tag));
      return {
        version: `${TITLE} ${overview.rabbitmq_version}`,
        missing: isSeeing
          ? []
          : [{ what: 'it sees no nodes and no connections of others', grant: grant(settings) }],
        writes: tags.includes('administrator')
          ? `it is an administrator: ${grant(settings)}`
          : tags.includes('policymaker')
            ? `it may set policies: ${grant(settings)}`
            : null,
      };
    },
    fingerprint: async () => {
      const all = await queues();
      const policies = await get(z.array(Policy), '/policies').catch(() => null);
      return {
        parts: {
          queue: Object.fromEntries(
            // One that a client makes for itself comes and goes.
            all.items
              .filter(({ name }) => !/^amq\.|[\da-f]{8,}/iu.test(name))
              .map(({ name, vhost: in_, type }) => [
                in_ === '/' ? name : `${name} in ${in_}`,
                type ?? 'classic',
              ]),
          ),
          ...(policies === null
            ? {}
            : {
                policy: Object.fromEntries(
                  policies.map((one) => [
                    `${one.name} in ${one.vhost}`,
                    JSON.stringify({ pattern: one.pattern, ...one.definition }),
                  ]),
                ),
              }),
          version: { [TITLE]: overview.rabbitmq_version },
        },
        counters: {},
      };
    },
    close: async () => undefined,
  };
}

function grant({ user }: DatabaseSettings): string {
  return `rabbitmqctl set_user_tags ${/^[\w.-]+$/u.test(user) ? user : 'gumshoe'} monitoring`;
}

const WhoAmI = z.object({ name: z.string(), tags: z.union([z.string(), z.array(z.string())]) });
const Policy = z.object({
  name: z.string(),
  vhost: z.string(),
  pattern: z.string(),
  definition: z.record(z.string(), z.unknown()),
});

/** A page of a list; an old or small one answers the list itself. */
const Page = <T extends z.ZodType>(item: T) =>
  z.union([
    z
      .object({ items: z.array(item), total_count: z.number() })
      .transform(({ items, total_count: total }) => ({ items, total })),
    z.array(item).transform((items) => ({ items, total: items.length })),
  ]);

import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { DatabaseSettings, SystemName } from '../../../src/service/databases/settings.ts';
import { freePort } from '../../bench/systems/prometheus.ts';
import { looking } from '../../support/databases/looking.ts';

const TITLES = { postgres: 'PostgreSQL', mysql: 'MySQL', redis: 'Redis', rabbitmq: 'RabbitMQ' } as const;
const SYSTEMS = ['postgres', 'mysql', 'redis', 'rabbitmq'] as const;

describe.each(SYSTEMS)('a broken %s', (system: SystemName) => {
  const ending: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });

  async function lookAt(port: number) {
    const settings: DatabaseSettings = {
      name: 'store',
      system,
      host: '127.0.0.1',
      port,
      user: 'gumshoe',
      password: 'p',
      database: 'shop',
      path: '',
      tls: false,
    };
    const store = await looking(system === 'redis' ? { ...settings, database: null } : settings);
    ending.push(() => store.close());
    const { facts, unread } = await store.look();
    return { facts: facts.map(({ kind, sentence }) => ({ kind, sentence })), unread, looks: store.looks };
  }
  /** A server that does this to each connection. */
  async function serve(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ending.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  it('that refuses connections is the finding', async () => {
    const port = await freePort();
    const { facts, unread } = await lookAt(port);
    expect({ facts, unread }).toEqual({
      facts: [
        {
          kind: 'unreachable',
          sentence: `${TITLES[system]} store at 127.0.0.1:${port} could not be reached: the connection was refused.`,
        },
      ],
      unread: [],
    });
  });

  it('that hangs is the finding', async () => {
    const { facts } = await lookAt(await serve(() => undefined));
    expect(facts).toEqual([{ kind: 'slow', sentence: `${TITLES[system]} store did not answer within 2 s.` }]);
  });

  it('that cuts the connection is the finding', async () => {
    const port = await serve((socket) => socket.destroy());
    const { facts } = await lookAt(port);
    expect(facts).toEqual([
      {
        kind: 'unreachable',
        sentence: `${TITLES[system]} store at 127.0.0.1:${port} could not be reached: the connection was cut.`,
      },
    ]);
  });

  it('that answers 50 MB is not read to the end', async () => {
    let sent = 0;
    const port = await serve((socket) => {
      const chunk = Buffer.alloc(1024 * 1024, 0x61);
      const head = {
        postgres: '',
        mysql: '',
        redis: '$52428800\r\n',
        rabbitmq: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"',
      }[system];
      socket.once('data', () => undefined);
      // The beginning of a message that is to be that long, as each protocol has it.
      socket.write(
        system === 'postgres'
          ? Buffer.from([0x52, 0x03, 0x20, 0, 0])
          : system === 'mysql'
            ? Buffer.from([0xff, 0xff, 0xff, 0])
            : head,
      );
      const more = () => {
        while (sent < 50 * 1024 * 1024 && !socket.destroyed) {
          sent += chunk.length;
          if (!socket.write(chunk)) {
            socket.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const { facts, unread } = await lookAt(port);
    expect(facts.filter(({ kind }) => kind !== 'slow' && kind !== 'unreachable')).toEqual([]);
    expect(facts.length + unread.length).toBe(1);
  });

  it('that is another program is said to be one, and is not the finding', async () => {
    const server = createHttpServer((_, response) => response.end('<html>Sign in</html>'));
    const port = await serve((socket) => {
      if (system === 'rabbitmq') server.emit('connection', socket);
      else {
        socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n');
        socket.on('data', () => socket.write('Invalid SSH identification string.\r\n'));
      }
    });
    const { facts, unread } = await lookAt(port);
    expect(facts).toEqual([]);
    expect(unread.join(' ')).toMatch(/check (?:its address|it) in DATABASES/u);
  });
});

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** The network between a replica and the database. */
export interface DatabaseProxy {
  /** The database as the replica reaches it. */
  url(direct: string): string;
  /**
   * Packets are swallowed from now on: the replica hears nothing, not even that its connections have ended, while the
   * server gives them up, as its keepalive does after some seconds.
   */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param folder of the server's socket */
export async function startDatabaseProxy(folder: string): Promise<DatabaseProxy> {
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    clients.add(client);
    client.on('error', () => client.destroy()).on('close', () => clients.delete(client));
    if (isCut) return;
    const server = connect({ path: join(folder, '.s.PGSQL.5432') });
    servers.add(server);
    server.on('error', () => server.destroy());
    server.on('close', () => {
      servers.delete(server);
      if (!isCut) client.destroy();
    });
    client.on('close', () => server.destroy());
    client.on('data', (data) => server.write(data));
    server.on('data', (data) => client.write(data));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = addressOf(proxy.address());
  return {
    url: (direct) => {
      const url = new URL(direct);
      url.searchParams.delete('host');
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    cut: () => {
      isCut = true;
      // Nothing is read any more, so not even the end of a connection is answered.
      for (const client of clients) client.pause();
      for (const server of servers) server.destroy();
    },
    mend: () => {
      isCut = false;
      // What was sent meanwhile has nobody to get to.
      for (const client of clients) client.destroy();
    },
    close: async () => {
      for (const socket of [...clients, ...servers]) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address;
}

import { connect, createServer, type Socket } from 'node:net';

/** A wire between the bot and the workspace that can be cut, as a network fails: nobody says goodbye. */
export interface Wire {
  /** For `SLACK_API_URL`; sockets go over the wire too. */
  apiUrl: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function layWire(apiUrl: string): Promise<Wire> {
  const port = Number(new URL(apiUrl).port);
  const ends = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        ends.delete(from);
        to.destroy();
      });
    }
    near.pipe(far);
    far.on('data', (bytes: Buffer) => near.write(withOwnPort(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  // The address of the socket stands in an answer whose length is stated before it.
  if (String(own).length !== String(port).length)
    throw new Error(`ports ${own} and ${port} differ in length`);

  function withOwnPort(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    return text.includes('"url":"ws')
      ? Buffer.from(text.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${own}`), 'latin1')
      : bytes;
  }

  const cut = () => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  return {
    apiUrl: apiUrl.replace(`:${port}`, `:${own}`),
    cut,
    mend: () => {
      isCut = false;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServiceClient } from '../../src/contract/client/client.ts';
import { systemClock } from '../../src/lib/clock.ts';

// A program of its own, so that its heap can be bounded: asks for answers that are out of all proportion, several at
// once, and prints what came of each.

const page = (data: string) => `{"object":"list","data":[${data}],"has_more":false}`;
const times = (text: string, count: number) => Array.from({ length: count }, () => text).join(',');

const answers: Record<string, string> = {
  bad: page(times('{}', 100_000)),
  long: page(times('{}', 2_700_000)),
  wide: page(times('{"uuid":null}', 120_000)),
  longer: page(`"${'x'.repeat(64 * 1024 * 1024)}"`),
  deep: '['.repeat(1_000_000),
  nested: page(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
};

const server = createServer((req, res) => {
  const which = new URL(req.url ?? '/', 'http://x').searchParams.get('search') ?? '';
  res.setHeader('content-type', 'application/json').end(answers[which]);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address: AddressInfo | string | null = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const client = createServiceClient({
  url: `http://127.0.0.1:${port}/api/v2`,
  apiKey: 'key',
  version: '2026-03-17',
  clock: systemClock,
  random: Math.random,
  timeoutMs: 600_000,
});

for (const search of Object.keys(answers)) {
  const asked = Array.from({ length: 4 }, () => client.issues.page({ search }));
  const outcomes = await Promise.allSettled(asked);
  for (const outcome of outcomes) {
    const error: unknown = outcome.status === 'rejected' ? outcome.reason : 'read';
    process.stdout.write(`${search}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
await client.close();
server.closeAllConnections();
server.close();

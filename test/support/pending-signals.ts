import { setImmediate as turn } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { createServiceClient } from '../../src/contract/client/client.ts';
import { systemClock } from '../../src/lib/clock.ts';

// A program of its own, as all objects of a process are looked through: asks the service at the address in its first
// argument for the issue in its second 20 times, and prints how many abort signals 19 of the calls left behind.

const [url = '', uuid = ''] = process.argv.slice(2);
const client = createServiceClient({
  url,
  apiKey: 'key',
  version: '2026-03-17',
  clock: systemClock,
  random: Math.random,
  timeoutMs: 600_000,
});
const signals = () => queryObjects(AbortSignal, { format: 'count' });
await client.issues.get(uuid);
const before = signals();
for (let calls = 1; calls < 20; calls += 1) await client.issues.get(uuid);
await turn();
console.log(`left: ${signals() - before}`);
// What is left may hold the process for its ten minutes.
process.exit();

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseAlert } from '../../alerts/parse.ts';
import { type Measured, measure } from './measure.ts';

const fixture = z.object({ message: z.unknown() });

function messagesBelow(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => fixture.parse(JSON.parse(readFileSync(join(folder, path), 'utf8'))).message);
}

/** The cost of understanding a message: the fixtures of the tests, and one of 40,000 characters. */
export async function benchAlerts(): Promise<Measured[]> {
  const messages = messagesBelow(new URL('../../../test/alerts/formats/fixtures', import.meta.url).pathname);
  const long = { type: 'message', ts: '1.0', channel: 'C1', text: 'disk full on host=db-1 '.repeat(1_740) };
  return [
    await measure('parse an alert', messages.length, () => messages.map(parseAlert)),
    await measure(
      'parse 40,000 characters',
      20,
      () => Array.from({ length: 20 }, () => parseAlert(long)),
      'parse an alert',
    ),
  ];
}

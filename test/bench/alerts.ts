import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseAlert } from '../../src/bot/alerts/parse.ts';
import { type Measured, measure } from './measure.ts';

const FIXTURES = new URL('../bot/alerts/formats/fixtures', import.meta.url).pathname;
/** Rounds over all messages before measuring, so that the compiler has optimized the code. */
const WARM_UP = 60;
/** The least number of messages in a round, so that a pause of the garbage collector does not dominate it. */
const PER_ROUND = 400;
const LONG = 40_000;

const Fixture = z.object({ message: z.unknown() });

/** The time to parse a message: per tool, over all tools, and for one as long as Slack allows. */
export async function benchAlerts(): Promise<Measured[]> {
  const tools = readdirSync(FIXTURES).map((tool) => ({ tool, messages: messagesIn(join(FIXTURES, tool)) }));
  const all = tools.flatMap(({ messages }) => messages);
  for (let round = 0; round < WARM_UP; round += 1) all.forEach(parseAlert);

  const overall = await measureParsing('parse an alert', all);
  const long = 'disk full on host=db-1 '.repeat(LONG / 23);
  return [
    overall,
    await measureParsing('parse 40,000 characters', [{ type: 'message', text: long }], 20, overall.name),
    ...(await inTurn(tools, ({ tool, messages }) =>
      measureParsing(`  ${tool}`, messages, PER_ROUND, overall.name),
    )),
  ];
}

function measureParsing(
  name: string,
  messages: readonly unknown[],
  atLeast = PER_ROUND,
  against?: string,
): Promise<Measured> {
  const times = Math.ceil(atLeast / messages.length);
  const work = () => {
    for (let time = 0; time < times; time += 1) messages.forEach((message) => void parseAlert(message));
  };
  return measure(name, times * messages.length, work, against);
}

function messagesIn(folder: string): unknown[] {
  return readdirSync(folder).map(
    (file) => Fixture.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).message,
  );
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

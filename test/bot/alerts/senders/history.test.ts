import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { learnedLines, readHistory } from '../../../../src/bot/alerts/senders/history.ts';
import type { Alert } from '../../../../src/bot/alerts/types.ts';
import { runs } from '../../../support/property-runs.ts';
import { toolMessage } from '../fixtures.ts';

const Sender = z.strictObject({
  what: z.string(),
  messages: z.array(
    z.strictObject({
      message: z.record(z.string(), z.unknown()),
      /** `problem` names the problem that it is about; `title` is a part of its title. */
      expected: z.strictObject({
        kind: z.string(),
        problem: z.string().optional(),
        title: z.string().optional(),
      }),
    }),
  ),
});
type Message = z.output<typeof Sender>['messages'][number];

/** Senders of tools that no format knows, twenty messages each. */
const senders = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    name: file.slice(0, -'.json'.length),
    ...Sender.parse(JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))),
  }));

/** Which messages are read wrongly, and which two problems became one. */
function judged(
  messages: readonly Message[],
  alerts: readonly Alert[],
): { wrong: number[]; merged: string[] } {
  const first = new Map<string, string>();
  const owner = new Map<string, string>();
  const merged: string[] = [];
  const wrong = messages.flatMap(({ expected: { kind, problem, title = '' } }, at) => {
    const alert = alerts[at];
    if (alert?.kind !== kind) return [at];
    if (problem === undefined) return [];
    const identity = `${alert.fingerprint}@${alert.environment ?? ''}`;
    if (kind === 'firing') {
      const other = owner.get(identity) ?? problem;
      if (other !== problem) merged.push(`${other} and ${problem}`);
      owner.set(identity, other);
      first.set(problem, first.get(problem) ?? identity);
    }
    const isTitled = kind !== 'firing' || (alert.title ?? '').toLowerCase().includes(title.toLowerCase());
    return first.get(problem) === identity && isTitled ? [] : [at];
  });
  return { wrong, merged };
}

/** What one message alone does not tell, and its sender's others do not either. */
const OPEN: Readonly<Record<string, number[]>> = {
  // Each of these was seen once, in words that first sight does not know.
  factory: [14, 15],
  monit: [9],
  'nut-ups': [9],
  shipit: [10, 11],
  trapd: [12, 13],
};

describe('a sender that no format knows, after its other messages', () => {
  it.each(senders.map((one) => [one.name, one] as const))('%s', (name, { messages }) => {
    const { alerts } = readHistory(messages.map(({ message }) => toolMessage(message)));
    const { wrong, merged } = judged(messages, alerts);
    expect({ wrong, merged }).toStrictEqual({ wrong: OPEN[name] ?? [], merged: [] });
  });

  it('is read right far more often than at first sight', () => {
    const all = senders.flatMap(({ messages }) => messages).length;
    const right = (read: (messages: readonly Message[]) => Alert[]) =>
      all - senders.flatMap(({ messages }) => judged(messages, read(messages)).wrong).length;
    const alone = right((messages) => messages.map(({ message }) => parseAlert(toolMessage(message))));
    const together = right(
      (messages) => readHistory(messages.map(({ message }) => toolMessage(message))).alerts,
    );
    expect({ all, alone: alone > 180, together: together > 0.95 * all }).toStrictEqual({
      all: 421,
      alone: true,
      together: true,
    });
  });
});

it('says what it learned', () => {
  const texts = ['a-1 kaput', 'a-1 heil', 'b-2 kaput', 'b-2 heil', 'c-3 kaput', 'c-3 heil'].map(
    (text) => `Maschine ${text}`,
  );
  expect(learnedLines(readHistory(texts.map((text) => toolMessage({ text }))).learned)).toStrictEqual([
    '3 × “Maschine a-1 kaput”: not_an_alert',
    '3 × “Maschine a-1 heil”: not_an_alert',
    '“Maschine a-1 heil” ends “Maschine a-1 kaput” (3 times)',
  ]);
});

describe('what a sender taught', () => {
  const object = fc.stringMatching(/^[a-z]{3,6}-\d{1,2}$/u);
  const word = fc.stringMatching(/^[bcdfgklmprt][aeiou][bcdfgklmprt][aeiou][bcdfgklmprt]{1,2}$/u);

  it('never makes one problem of two objects', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(object, { minLength: 2, maxLength: 5 }),
        fc.uniqueArray(word, { minLength: 4, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 4, maxLength: 30 }),
        (objects, [noun = '', on = '', over = '', more = ''], events) => {
          const seen = events.map(([at, isOver]) => ({ name: objects[at % objects.length] ?? '', isOver }));
          const texts = seen.map(({ name, isOver }) => `${noun} ${name} ${isOver ? `${over} ${more}` : on}`);
          const { alerts } = readHistory(texts.map((text) => toolMessage({ text })));
          const owners = new Map<string, string>();
          for (const [at, { name }] of seen.entries()) {
            const fingerprint = alerts[at]?.fingerprint ?? null;
            if (fingerprint === null) continue;
            expect(owners.get(fingerprint) ?? name).toBe(name);
            owners.set(fingerprint, name);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('leaves alone what a tool’s own format reads', () => {
    const message = toolMessage({
      username: 'Alertmanager',
      attachments: [
        {
          color: 'danger',
          title: '[FIRING:1] NodeDown (node-3)',
          title_link: 'http://am.example/#/alerts?receiver=slack',
        },
      ],
    });
    expect(readHistory([message, message, message]).alerts).toStrictEqual(
      Array.from({ length: 3 }, () => parseAlert(message)),
    );
  });
});

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projectFile } from '../support/files.ts';
import { sections } from './document.ts';

/** Sections without anything to hold the service to, and why. */
const NOTHING_TO_TEST: Readonly<Record<string, string>> = {
  1: 'what the service is for; the rest says it again',
  2: 'conventions, which the types of test/contract/fields.ts state',
  '2.11': 'section 7 has the error body',
  4: 'the sections below it',
  6: 'there are no events',
};

const files = readdirSync(new URL('.', import.meta.url)).filter((name) =>
  /^[\d.]+-.*\.test\.ts$/u.test(name),
);
const textOf = (number: string) =>
  files
    .filter((name) => name.startsWith(`${number}-`))
    .map((name) => projectFile(`test/contract/${name}`))
    .join('\n');

it('reads the whole document', () => {
  expect(sections().map(({ number }) => number)).toEqual([
    ...['1', '2', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '2.10', '2.11', '3'],
    ...['4', '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '5', '6', '7', '8', '9'],
  ]);
  const rows = Object.fromEntries(sections().map(({ number, rows }) => [number, rows]));
  expect(rows['2.4']).toEqual(['uuid', 'version', 'status', 'description']);
  expect(rows['4.9']).toEqual(['question', 'thread', 'conversation_id', 'stream']);
  expect(rows['9']).toEqual([]);
});

it.each(sections().map(({ number, title }) => [number, title]))('section %s (%s) has a file', (number) => {
  expect(textOf(number) === '').toBe(number in NOTHING_TO_TEST);
});

it.each(sections().flatMap(({ number, rows }) => rows.map((row) => [number, row] as const)))(
  'the row %s %s is named by a test',
  (number, row) => {
    const text = textOf(number);
    // `describeFields` fails where a row of its section's table is missing.
    const walked = new RegExp(`describeFields\\(\\s*'${number}',`, 'u');
    expect(walked.test(text) || text.includes(`${number} ${row}`)).toBe(true);
  },
);

import { EVENT_SCOPES } from '../src/events/kinds.ts';
import { LIMITS } from '../src/limits.ts';
import { METHODS } from '../src/methods/index.ts';
import type { Method } from '../src/methods/method.ts';
import { LIMIT_WORDS } from './coverage-limits.ts';

// The tables of `COVERAGE.md`, made of what the code declares.

const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows].join('\n');
}

function methodRow({ name, tokens, scopes, tier, checks, unchecked }: Method): string {
  const needs = tokens.includes('bot') || tokens.length === 0 ? code(scopes) || '–' : 'app-level token';
  const refusals = code(checks.filter((check) => check !== 'invalid_arguments'));
  const calls = String(LIMITS.tiers[tier]);
  return row(code([name]), needs, calls, refusals || '–', unchecked.join('; ') || '–');
}

function methods(): string {
  const sorted = [...METHODS].sort((a, b) => a.name.localeCompare(b.name));
  const head = ['Method', 'One of the scopes', 'Calls a minute', 'Refuses with', 'Not checked'];
  return table(head, sorted.map(methodRow));
}

function events(): string {
  const rows = Object.entries(EVENT_SCOPES).map(([name, scopes]) => row(code([name]), code(scopes) || '–'));
  return table(['Event', 'One of the scopes'], rows);
}

const numbers = (value: number | object) =>
  typeof value === 'number' ? value.toLocaleString('en-US') : Object.values(value).join(', ');

function limits(): string {
  const words: Readonly<Record<string, string>> = LIMIT_WORDS;
  const rows = Object.entries(LIMITS).map(([name, value]) => row(numbers(value), words[name] ?? name));
  return table(['At most', 'Of what'], rows);
}

/** Each table by the name that marks its place. */
const TABLES: Readonly<Record<string, () => string>> = { methods, events, limits };

/** `page` with every table made anew, between `<!-- methods -->` and `<!-- /methods -->` and so on. */
export function withTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, make]) => {
    const place = new RegExp(`(?<=<!-- ${name} -->\n).*?(?=<!-- /${name} -->)`, 's');
    if (!place.test(text)) throw new Error(`The page has no place for ${name}.`);
    return text.replace(place, () => `\n${make()}\n\n`);
  }, page);
}

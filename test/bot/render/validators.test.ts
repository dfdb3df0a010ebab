import { describe, expect, it } from 'vitest';
import type { Rendered } from '../../../src/bot/render/rendered.ts';
import { section } from '../../../src/bot/render/rendered.ts';
import { unsafeSpots } from '../../support/block-safety.ts';
import { MAY } from './every-renderer/inputs.ts';
import { refusals } from './every-renderer/limits.ts';
import type { Surface } from './every-renderer/renderer.ts';
import { unsafeIn } from './every-renderer/safety.ts';
import { renderersIn } from './every-renderer/sources.ts';

const message = (change: Partial<Rendered> = {}): Rendered => ({
  text: 'a',
  blocks: [section('a')],
  ...change,
});
const many = (count: number, text = 'a') => Array.from({ length: count }, () => section(text));
const button = (more: object = {}) => ({
  type: 'button' as const,
  text: { type: 'plain_text' as const, text: 'Go' },
  action_id: 'go',
  ...more,
});
const home = (count: number): Surface => ({ type: 'home', blocks: many(count) });
const modal = (change: object): Surface => ({
  type: 'modal',
  title: { type: 'plain_text', text: 'a' },
  blocks: [section('a')],
  ...change,
});

describe('the limits that every renderer is held to', () => {
  it.each<[string, Surface]>([
    ['a message of 51 blocks', message({ blocks: many(51) })],
    ['a message without blocks', message({ blocks: [] })],
    ['a message that says nothing', message({ text: ' ' })],
    ['a text of 4,001 bytes', message({ text: 'é'.repeat(2001) })],
    ['13,201 characters', message({ blocks: [...many(4, 'a'.repeat(3000)), section('a'.repeat(1201))] })],
    ['a plainer form that is too long', message({ plainer: many(51) })],
    ['a section of 3,001 characters', message({ blocks: [section('a'.repeat(3001))] })],
    ['half a character', message({ blocks: [section('\ud83d')] })],
    [
      'a picture without words',
      message({ blocks: [{ type: 'image', image_url: 'https://a.example', alt_text: '' }] }),
    ],
    ['a block id twice', message({ blocks: ['x', 'x'].map((block_id) => ({ ...section('a'), block_id })) })],
    ['an action id twice', message({ blocks: [{ type: 'actions', elements: [button(), button()] }] })],
    ['a Home of 101 blocks', home(101)],
    ['a modal of 101 blocks', modal({ blocks: many(101) })],
    ['a modal that remembers too much', modal({ private_metadata: 'a'.repeat(3001) })],
    ['a long title', modal({ title: { type: 'plain_text', text: 'a'.repeat(25) } })],
  ])('refuse %s', (_, surface) => {
    expect(refusals(surface)).not.toEqual([]);
  });

  it.each<[string, Surface]>([
    ['13,200 characters', message({ blocks: [...many(4, 'a'.repeat(3000)), section('a'.repeat(1200))] })],
    ['a message of 50 blocks', message({ blocks: many(50) })],
    ['a Home of 100 blocks', home(100)],
    ['a modal of 100 blocks', modal({ blocks: many(100) })],
  ])('take %s', (_, surface) => {
    expect(refusals(surface)).toEqual([]);
  });
});

describe('the safety that every renderer is held to', () => {
  const picture = (alt_text: string) => ({
    type: 'image' as const,
    image_url: 'https://a.example',
    alt_text,
  });
  it.each<[string, Surface]>([
    ['a command in the text', message({ text: '<!channel>' })],
    ['a mention in mrkdwn', message({ blocks: [section('<@U0BAD>')] })],
    ['a channel in Markdown', message({ blocks: [{ type: 'markdown', text: '<#C0BAD>' }] })],
    ['a command in a picture’s words', message({ blocks: [picture('<!here>')] })],
    [
      'a command on a button',
      message({
        blocks: [{ type: 'actions', elements: [button({ text: { type: 'plain_text', text: '<!here>' } })] }],
      }),
    ],
    [
      'a button that runs a script',
      message({ blocks: [{ type: 'actions', elements: [button({ url: 'javascript:alert(1)' })] }] }),
    ],
    [
      'a picture that is data',
      message({ blocks: [{ type: 'image', image_url: 'data:text/html,x', alt_text: 'a' }] }),
    ],
    ['a forged link', message({ blocks: [section('<https://evil.example|bank.example>')] })],
    [
      'a forged link in Markdown',
      message({ blocks: [{ type: 'markdown', text: '[bank.example](https://evil.example)' }] }),
    ],
    ['a mention in a modal’s title', modal({ title: { type: 'plain_text', text: '<@U0BAD>' } })],
    ['a mention on a Home', { type: 'home', blocks: [section('<@U0BAD>')] }],
    ['what a plainer form says', message({ plainer: [section('<!channel>')] })],
  ])('finds %s', (_, surface) => {
    expect(unsafeIn(surface, MAY)).not.toEqual([]);
  });

  it('lets pass what the program builds', () => {
    const built = section('<@U0ALICE> in <#C0HOME>: <https://a.example/x|#12>');
    const pattern = {
      type: 'section' as const,
      text: { type: 'plain_text' as const, text: '(?<!x)<@U0BAD>' },
    };
    expect(unsafeIn(message({ blocks: [built, pattern] }), MAY)).toEqual([]);
  });
});

describe('the safety of a text', () => {
  it.each([
    '<!channel>',
    '<@U0BAD>',
    '<#C1>',
    'a & b',
    'a < b',
    'a > b',
    '<javascript:x|y>',
    '<mailto:x@y.example>',
    '<https://u:p@evil.example/>',
    '<https://evil.example/|https://bank.example>',
    '<!date^1^{time}|forged>',
  ])('find %s in mrkdwn', (value) => {
    expect(unsafeSpots({ text: value }).length).toBeGreaterThan(0);
    expect(unsafeSpots({ text: 'a', blocks: [section(value)] }).length).toBeGreaterThan(0);
  });

  it.each(['<!here>', '[a](javascript:x)', '[a]: javascript:x'])('find %s in Markdown', (value) => {
    expect(unsafeSpots({ text: 'a', blocks: [{ type: 'markdown', text: value }] }).length).toBeGreaterThan(0);
  });

  it('let pass what the program builds', () => {
    const built =
      '<@U1> <#C1> <https://a.example/x?y=1&amp;z=2|Open> <!date^1^{time} {date_short_pretty}|1970-01-01 00:00 UTC>';
    expect(unsafeSpots({ text: built }, { users: ['U1'], channels: ['C1'] })).toEqual([]);
  });
});

it('a renderer is known by what it returns, or by its name', () => {
  expect(
    renderersIn(`
export function one(a: (b: string) => void, { c }: { c: number }): Rendered {
export function two(
  a: string,
): [Rendered, ...Rendered[]] {
export const three = (): ModalView => {
export function renderFour(): Whatever {
export function five(): HomeView {
export function words(view: View): string {
function inner(): Rendered {
`),
  ).toEqual(['one', 'two', 'three', 'renderFour', 'five']);
});

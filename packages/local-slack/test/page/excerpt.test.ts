import { expect, it } from 'vitest';
import { excerptOf } from '../../page/model/excerpt.ts';
import type { PageMessage } from '../../src/page-api.ts';

const message = (text: string, attachments?: unknown[]): PageMessage => ({
  type: 'message',
  channel: 'C1',
  ts: '1.1',
  text,
  ...(attachments && { attachments }),
});

it('without any words a message is called after its file', () => {
  const file = { id: 'F1', state: 'ready' as const, name: 'a.json', title: 'Results', kind: 'JSON', size: 1 };
  expect(excerptOf({ ...message(''), files: [file] })).toBe('Results');
});

it.each([
  ['one line\n of   it', undefined, 'one line of it'],
  ['<https://a.example|a link> &amp; <@U1>', undefined, 'a link & @U1'],
  ['', [{ title: '[FIRING] x', text: 'more' }], '[FIRING] x'],
  ['', [{ title: 5, fallback: 'fallen back' }], 'fallen back'],
  [' ', ['broken'], 'a message'],
  ['words '.repeat(20), undefined, `${'words '.repeat(13).trim()}…`],
  ['x'.repeat(100), undefined, `${'x'.repeat(79)}…`],
])('%j with %j is shortened to %j', (text, attachments, expected) => {
  expect(excerptOf(message(text, attachments))).toBe(expected);
});

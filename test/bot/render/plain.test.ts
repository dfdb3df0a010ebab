import { expect, it } from 'vitest';
import { asPlainText } from '../../../src/bot/render/plain.ts';
import { actions, button, columns, context, folded, section } from '../../../src/bot/render/rendered.ts';

it('a message that Slack refuses is sent as its texts, one below the other', () => {
  const message = {
    text: 'notification',
    blocks: [
      context('small'),
      { type: 'header' as const, text: { type: 'plain_text' as const, text: 'a < b' } },
      section('*bold*'),
      columns(['left', 'right']),
      { type: 'markdown' as const, text: 'x &lt; y & z' },
      ...folded('Evidence · 1', [section('• Pool full')]),
      { type: 'divider' as const },
      actions([button('Ask', 'issue:ask', 'i')]),
    ],
  };
  expect(asPlainText(message)).toEqual({
    text: 'small\na &lt; b\n*bold*\nleft\nright\nx &lt; y &amp; z\n*Evidence · 1*\n• Pool full',
  });
});

it('a message without texts is its notification', () => {
  expect(asPlainText({ text: 'notification', blocks: [] })).toEqual({ text: 'notification' });
});

it('what is longer than Slack takes is cut', () => {
  const { text } = asPlainText({ text: 'x', blocks: [section('é'.repeat(3000))] });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3900);
  expect(text).toMatch(/… shortened: \d+ more characters$/u);
});

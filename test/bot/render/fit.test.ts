import { describe, expect, it } from 'vitest';
import { fitMessage } from '../../../src/bot/render/fit.ts';
import { actions, button, columns, context, section } from '../../../src/bot/render/rendered.ts';
import { refusals } from './every-renderer/limits.ts';

const resolve = actions([button('Resolve', 'issue:resolve', 'i1')]);

describe('a message that is too large', () => {
  it('loses blocks at its end, says how many, and keeps its buttons', () => {
    const blocks = [...Array.from({ length: 60 }, (_, index) => section(`part ${index}`)), resolve];
    const fitted = fitMessage({ text: 'x', blocks });
    expect(fitted.blocks.length).toBe(50);
    expect(fitted.blocks.slice(47)).toEqual([
      section('part 47'),
      context('… shortened: 12 more parts'),
      resolve,
    ]);
  });

  it('loses blocks where they count too much together', () => {
    const fitted = fitMessage({
      text: 'x',
      blocks: Array.from({ length: 6 }, () => section('y'.repeat(3000))),
    });
    expect(fitted.blocks.length).toBe(5);
    expect(fitted.blocks.at(-1)).toEqual(context('… shortened: 2 more parts'));
    expect(refusals(fitted)).toEqual([]);
  });

  it('has each text cut', () => {
    const fitted = fitMessage({
      text: 'é'.repeat(3000),
      blocks: [
        section('y'.repeat(3001)),
        columns(['z'.repeat(2001)]),
        { type: 'header', text: { type: 'plain_text', text: 'h'.repeat(151) } },
      ],
    });
    expect(refusals(fitted)).toEqual([]);
  });
});

describe('a message with empty parts', () => {
  it('loses them, since Slack refuses them', () => {
    const blocks = [section(' '), columns(['', 'a']), context(''), actions([]), section('b')];
    expect(fitMessage({ text: ' ', blocks })).toEqual({
      text: 'A message from Gumshoe',
      blocks: [columns(['a']), section('b')],
    });
  });

  it('loses a button whose value would have to be cut', () => {
    const blocks = [section('a'), actions([button('Ask', 'issue:ask', 'x'.repeat(2001))])];
    expect(fitMessage({ text: 'a', blocks }).blocks).toEqual([section('a')]);
  });
});

it('a message within the limits stays as it is', () => {
  const message = { text: 'a', blocks: [section('b'), resolve] };
  expect(fitMessage(message)).toEqual(message);
});

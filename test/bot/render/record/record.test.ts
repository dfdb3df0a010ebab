import { expect, it } from 'vitest';
import { recordInDigest, renderRecord } from '../../../../src/bot/render/record/record.ts';
import { section } from '../../../../src/bot/render/rendered.ts';

const none = { right: 0, nearly: 0, wrong: 0, unknown: 0 };
const line = {
  confidence: 'high',
  all: 17,
  fates: { right: 14, nearly: 1, wrong: 1, unknown: 1 },
  sources: {
    said: { right: 10, nearly: 1, wrong: 1, unknown: 0 },
    came_true: { ...none, right: 3 },
    looks_like: { ...none, right: 1 },
  },
};

it('shows the misses first, each with its thread, then each confidence by how it is known', () => {
  const { text, blocks, plainer } = renderRecord({
    lines: [line],
    misses: [
      {
        number: 12,
        title: 'Orders <fail> & more',
        confidence: 'high',
        source: 'said',
        at: 0,
        url: 'https://slack.example/1',
      },
    ],
    place: { channel: 'C1' },
    simulated: false,
  });
  expect(text).toBe('*My record in <#C1>*: 17 verdicts');
  const raw = (words: string) => ({ type: 'raw_text', text: words });
  const number = (value: number) => ({ type: 'raw_number', value, text: String(value) });
  const rich = (...elements: object[]) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements }],
  });
  const table = { type: 'data_table', page_size: 10, row_header_column_index: 0 };
  expect(blocks.slice(0, 3)).toEqual([
    section('*My record in <#C1>*: 17 verdicts'),
    {
      ...table,
      caption: 'Wrong',
      rows: [
        ['Issue', 'Confidence', 'When', 'Known by'].map(raw),
        [
          rich(
            { type: 'link', url: 'https://slack.example/1', text: '#12' },
            { type: 'text', text: ' ' },
            { type: 'text', text: 'Orders <fail> & more' },
          ),
          raw('high'),
          rich({
            type: 'date',
            timestamp: 0,
            format: '{time} {date_short_pretty}',
            fallback: '1970-01-01 00:00 UTC',
          }),
          raw('somebody said so'),
        ],
      ],
    },
    {
      ...table,
      caption: 'Verdicts by confidence',
      rows: [
        ['Confidence', 'Verdicts', 'Right', 'Nearly', 'Wrong', 'Unknown', 'Known by'].map(raw),
        [
          raw('high'),
          ...[17, 14, 1, 1, 1].map(number),
          raw('answered: 10 right, 1 nearly, 1 wrong; prediction: 3 right; step done: 1 right'),
        ],
      ],
    },
  ]);
  expect(plainer?.slice(1, 2)).toEqual([
    section(
      expect.stringMatching(
        /^\*Wrong\*\n• <https:\/\/slack\.example\/1\|#12 Orders fail &amp; more> · high · <!date\^0\^[^>]*> · somebody said so\n\*17 with confidence high: 14 right, 1 nearly, 1 wrong, 1 unknown\*\n_answered_: 10 right, 1 nearly, 1 wrong\n_prediction_: 3 right\n_step done_: 1 right$/u,
      ),
    ),
  ]);
});

it('says how a record begins, and keeps out of digests what nobody knows', () => {
  const { text } = renderRecord({ lines: [], misses: [], place: { channels: 2 }, simulated: false });
  expect(text).toBe(
    'No verdict in 2 channels that you can read yet. After an issue is resolved, its card asks once whether the root cause was right.',
  );
  expect(recordInDigest([{ ...line, fates: { ...none, unknown: 17 } }])).toEqual([]);
  expect(recordInDigest([line])).toEqual([
    section('*Verdicts*\n• 17 with confidence high: 14 right, 1 nearly, 1 wrong, 1 unknown'),
  ]);
});

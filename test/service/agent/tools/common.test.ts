import { expect, it } from 'vitest';
import { commonOf, fieldsOf } from '../../../../src/service/agent/tools/common.ts';
import { commonInWords } from '../../../../src/service/agent/words/common.ts';
import type { LogLine } from '../../../../src/service/telemetry/model.ts';

const line = (level: string, message: string): LogLine => ({
  at: 0,
  service: 'web',
  instance: null,
  level,
  message,
  traceId: null,
});
const requests = (isSlow: boolean, count: number, promo: string) =>
  Array.from({ length: count }, (_, i) =>
    line('info', `path=/checkout promo=${promo} request=${promo}${i} took=${isSlow ? 5_000 + i : 40 + i}ms`),
  );

it('reads the fields of a line, in either form', () => {
  expect([...fieldsOf('level=error msg="no room" sailing=HY-207')]).toEqual([
    ['level', 'error'],
    ['msg', 'no room'],
    ['sailing', 'HY-207'],
  ]);
  expect([...fieldsOf('{"sailing":"HY-207","took":5,"tags":[]}')]).toEqual([
    ['sailing', 'HY-207'],
    ['took', '5'],
  ]);
  expect(fieldsOf('nothing of it').size).toBe(0);
});

it('says what the slow ones share, with the share of the others', () => {
  const lines = [
    ...requests(true, 9, 'SUMMER26'),
    ...requests(true, 1, 'none'),
    ...requests(false, 86, 'none'),
    ...requests(false, 4, 'SUMMER26'),
  ];
  const found = commonOf(lines, [], 'slow');
  expect(found).toMatchObject({
    of: 'lines',
    kind: 'slow',
    bad: 10,
    others: 90,
    shared: [{ field: 'promo', value: 'SUMMER26', bad: 0.9, others: 4 / 90 }],
  });
  expect(commonInWords(found, 'web', 'the last hour')).toBe(
    [
      '**What the slow lines of web have in common** (10 of them and 90 others compared, in the last hour):',
      '',
      '- 90% of the slow ones have `promo=SUMMER26`, 4.44% of the others.',
    ].join('\n'),
  );
});

it('says that nothing stands out where all share it', () => {
  const some = (level: string) => Array.from({ length: 8 }, () => line(level, 'region=eu path=/a'));
  expect(commonInWords(commonOf([...some('error'), ...some('info')], [], 'failing'), 'web', 'it')).toMatch(
    /^Nothing stands out: /u,
  );
});

it('compares no few', () => {
  expect(commonOf([line('error', 'a=b')], [], 'failing')).toBeNull();
  expect(commonInWords(null, 'web', 'the last hour')).toMatch(/^I can’t tell what they have in common: /u);
});

import fc from 'fast-check';
import type { Artifact } from '../../../../src/contract/answers.ts';
import { anyCodePoint } from '../../../support/code-point.ts';

const anyText = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '<b>&amp;"\'',
    ']]>',
    '\u202eabc\u0000\ud800',
    '数据库 🔥',
    'W'.repeat(500),
    'a.b-c_d '.repeat(80),
    '((((--->>>>:::'.repeat(8),
  ),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 4 });

const anyValue = fc.oneof(
  fc.record({ asDouble: fc.oneof(fc.double(), fc.constantFrom('NaN', null, '7.5', {}, 0, 1e-300)) }),
  fc.record({ asInt: fc.oneof(fc.bigInt().map(String), fc.integer(), fc.constantFrom('', 'x')) }),
  fc.constant({}),
);
const anyTime = fc.oneof(
  fc.integer({ min: 0, max: 5_000_000 }).map((seconds) => `${1_780_000_000 + seconds}000000000`),
  fc.constantFrom('0', '', 'x', '-5', 1.78e18, '99999999999999999999999', undefined, null),
);
const anyAttributes = fc.array(
  fc.record({
    key: fc.constantFrom('host', 'route', '__proto__', ''),
    value: fc.oneof(
      fc.record({ stringValue: anyText }),
      fc.record({ intValue: fc.constantFrom('1', '2') }),
      fc.record({
        arrayValue: fc.record({ values: fc.array(fc.anything(), { maxLength: 2 }).map(() => [1, 'a']) }),
      }),
      fc.constant({}),
    ),
  }),
  { maxLength: 3 },
);

/** Metric artifacts with any unit, times and values of any kind, and series without end. */
export const anyMetric: fc.Arbitrary<Artifact> = fc
  .record({
    name: fc.oneof(anyText, fc.constant(7)),
    description: maybe(anyText),
    unit: fc.oneof(
      fc.constantFrom(
        'ms',
        's',
        'ns',
        '%',
        '1',
        'By',
        'MiBy',
        '{request}/s',
        'By/s',
        'Cel',
        'rps',
        '',
        'h',
        '{}',
        'valueOf',
      ),
      anyText,
    ),
    dataPoints: fc.array(
      fc
        .record({ time: anyTime, value: anyValue, attributes: anyAttributes })
        .map(({ time, value, attributes }) => ({ timeUnixNano: time, ...value, attributes })),
      { maxLength: 80 },
    ),
  })
  .map((data) => ({ type: 'metric', data }));

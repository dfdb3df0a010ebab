import { describe, expect, it } from 'vitest';
import { fill } from '../../../src/demo/scenarios/tools/fill-in.ts';

const problem = { service: 'cart', symptom: 'High error rate', number: 123456 };
const now = Date.UTC(2026, 10, 8, 1, 2, 3);

describe('a template of a playable message', () => {
  it.each([
    ['{symptom} of {service}', 'High error rate of cart'],
    ['{service}-{number}', 'cart-123456'],
    ['{rule}', 'HighErrorRate'],
    ['{now:%s}', String(now / 1000)],
    ['{now:%Y-%m-%dT%H:%M:%SZ}', '2026-11-08T01:02:03Z'],
    ['{now:%d/%m/%y %H:%M:%S}', '08/11/26 01:02:03'],
    ['{now:%a %b %d %H:%M:%S UTC %Y}', 'Sun Nov 08 01:02:03 UTC 2026'],
  ])('%s is %s', (template, text) => {
    expect(fill(template, problem, now)).toBe(text);
  });

  it.each(['{host}', '{now}', '{now:%Q}'])('%s is refused', (template) => {
    expect(() => fill(template, problem, now)).toThrow(template);
  });
});

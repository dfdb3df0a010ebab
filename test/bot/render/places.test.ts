import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutPlaces } from '../../../src/bot/render/results/verdict.ts';
import { anyText } from '../../support/arbitrary-views.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { runs } from '../../support/property-runs.ts';

describe('a text that goes to another channel', () => {
  it.each([
    ['see https://acme.slack.com/archives/C0PRIVATE1/p1773748800000100.', 'see another channel'],
    [
      'see <https://acme.slack.com/archives/C0PRIVATE1/p17?thread_ts=1.2|the thread> now',
      'see another channel now',
    ],
    ['see http://localhost:3000/archives/G0PRIVATE1 now', 'see another channel now'],
    ['said in <#C0PRIVATE1|secret-room>', 'said in another channel'],
    ['said in <#C0PRIVATE1>', 'said in another channel'],
    ['said in C0PRIVATE1, again', 'said in another channel, again'],
    ['said in #secret-room, again', 'said in another channel, again'],
  ])('“%s” is said without the place', (text, said) => {
    expect(withoutPlaces(text, [])).toBe(said);
  });

  it.each([
    'like #12, and C++',
    'CONNECTION refused, GATEWAYTIMEOUT, CRITICAL',
    'https://grafana.example/d/1#panel',
    'version 2.175.48 of catalogue',
    'a &#x27; b',
  ])('“%s” stays', (text) => {
    expect(withoutPlaces(text, [])).toBe(text);
  });

  it('does not say what must not be said, however it is written', () => {
    expect(withoutPlaces('ZEBRA pool: the zebra Pool is full', ['Zebra pool', ' '])).toBe(
      'the alert: the the alert is full',
    );
    expect(withoutPlaces('İzebra', ['zebra'])).toBe('İthe alert');
  });

  it('is read quickly, whatever it is', () => {
    const began = cpuMs();
    for (const piece of ['http://', 'https://a/archives/', '<#', '<#C1|', '#-', 'C0']) {
      withoutPlaces(piece.repeat(5_000 / piece.length), ['zebra']);
    }
    expect(cpuMs() - began).toBeLessThan(15_000);
  });

  it('never names a private channel', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const said = withoutPlaces(
          `${before} <#C0PRIVATE1> https://x.slack.com/archives/C0PRIVATE1/p1 ${after}`,
          [],
        );
        expect(said).not.toContain('C0PRIVATE1');
      }),
      { numRuns: runs(200) },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { found, level, system } from './freight.ts';

const alert = { title: 'Portal is slow', service: 'portal' };
/** `tariffs` fails, and nothing shows of it above. */
const quiet = { felt: false, booking: {} } as const;

describe('what happened begins with the service that the alert is about', () => {
  it('with what departs there, and then where it comes from', async () => {
    const { overview } = await found(system({}), alert);
    expect(overview).toMatch(/^portal p95 latency rose from .* Caused by tariffs via booking/u);
  });

  it('with what the alert measures, where none of its own metrics departs', async () => {
    const measured = (service: string) => ({
      rule: {
        name: 'PortalSlow',
        expression: 'portal_wait',
        threshold: { comparison: '>', value: 2 },
        labels: {},
        annotations: {},
        heldFor: 0,
      },
      series: [{ labels: {}, service, at: level(0.4, 3.2) }],
    });
    const own = await found({ ...system(quiet), rule: measured('portal') }, alert);
    expect(own.overview).toMatch(
      /^What the alert measures of portal rose from 0\.4 to 3\.\d+ at 10:22 UTC\. Caused by tariffs\. /u,
    );
    const nobodys = await found({ ...system(quiet), rule: measured('') }, alert);
    expect(nobodys.overview).toMatch(
      /^What the alert measures of portal is 3\.\d+, over its threshold since 10:22 UTC\. tariffs error rate rose/u,
    );
  });

  it('with that nothing departs there, where that is so', async () => {
    const { overview } = await found(system(quiet), alert);
    expect(overview).toMatch(
      /^Nothing that was read of portal itself is out of its usual range\. tariffs error rate rose/u,
    );
  });
});

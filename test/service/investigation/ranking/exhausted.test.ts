import { describe, expect, it } from 'vitest';
import { exhaustionOf } from '../../../../src/service/investigation/ranking/series.ts';
import { seriesWith } from '../../../support/telemetry.ts';

const MINUTE = 60_000;
const rising = Array.from({ length: 180 }, (_, i) => Math.min(1, 0.4 + i * 0.0034));

describe('what is used up', () => {
  it('is known by where it stands, however slowly it got there', () => {
    const disk = seriesWith(rising, { measure: 'disk', unit: '1' });
    expect(exhaustionOf(disk, 179 * MINUTE)).toMatchObject({ now: 1, onset: 168 * MINUTE });
    expect(exhaustionOf(disk, 120 * MINUTE)).toBeNull();
  });

  it('is no news where it always was', () => {
    const full = seriesWith(
      rising.map(() => 0.985),
      { measure: 'disk', unit: '1' },
    );
    expect(exhaustionOf(full, 179 * MINUTE)).toBeNull();
  });

  it('is measured against the limit that the source knows, and not at all without one', () => {
    const used = rising.map((share) => 50 * share);
    const connections = seriesWith(used, { measure: 'connections', unit: '{connection}' });
    const { times } = connections.points;
    const limited = { ...connections, limit: { times, values: times.map(() => 50) } };
    expect(exhaustionOf(limited, 179 * MINUTE)).toMatchObject({ now: 50 });
    expect(exhaustionOf(connections, 179 * MINUTE)).toBeNull();
  });

  it('a certificate is once it has expired, and not while it only grows old', () => {
    const left = seriesWith(
      rising.map((_, i) => 6000 - 60 * i),
      { measure: 'certificate', bad: 'low' },
    );
    expect(exhaustionOf(left, 99 * MINUTE)).toBeNull();
    expect(exhaustionOf(left, 110 * MINUTE)).toMatchObject({ onset: 100 * MINUTE });
  });

  it('any other measure is compared with its past alone', () => {
    expect(exhaustionOf(seriesWith(rising, { measure: 'errors', unit: '1' }), 179 * MINUTE)).toBeNull();
  });
});

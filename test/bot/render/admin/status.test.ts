import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderStatus, type StatusView } from '../../../../src/bot/render/admin/status.ts';
import { anyText } from '../../../support/arbitrary-views.ts';
import { limitProblems } from '../../../support/block-limits.ts';
import { unsafeSpots } from '../../../support/block-safety.ts';
import { runs } from '../../../support/property-runs.ts';

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });

const anyStatus: fc.Arbitrary<StatusView> = fc.record({
  channel: maybe(
    fc.record({
      id: fc.constantFrom('C1', 'nonsense'),
      watched: fc.boolean(),
      budget: fc.record({ used: fc.nat(), issues: fc.nat(), minutes: fc.nat() }),
      open: fc.nat(),
      held: fc.nat(),
      digest: maybe(fc.record({ words: anyText, nextAt: fc.nat() })),
    }),
  ),
  paused: maybe(fc.record({ by: fc.constantFrom('U1', '<!here>'), at: fc.nat() })),
  degraded: fc.array(anyText, { maxLength: 4 }),
  program: maybe(
    fc.record({
      version: anyText,
      startedAt: fc.nat(),
      slackSince: maybe(fc.nat()),
      service: fc.array(
        fc.record({
          part: fc.oneof(fc.constantFrom('issues', 'query', 'constructor'), anyText),
          state: fc.constantFrom('answers', 'fails', 'held_back'),
          since: fc.nat(),
          calledAt: maybe(fc.nat()),
        }),
        { maxLength: 3 },
      ),
      polledAt: maybe(fc.nat()),
      outbox: fc.nat(),
      inbox: fc.nat(),
      pending: fc.nat(),
      day: fc.record({ used: fc.nat(), issues: fc.nat() }),
      watchedChannels: fc.nat(),
    }),
  ),
});

it('the status stays within Slack’s limits, and mentions and links nothing that it does not mean', () => {
  fc.assert(
    fc.property(anyStatus, (status) => {
      const message = renderStatus(status);
      expect(limitProblems(message)).toEqual([]);
      expect(unsafeSpots(message, { users: ['U1'], channels: ['C1'] })).toEqual([]);
      expect(JSON.stringify(message)).not.toContain('native code');
    }),
    { numRuns: runs(200) },
  );
});

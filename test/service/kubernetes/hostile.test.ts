import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/service/kubernetes/explain.ts';
import { broken, crashing, event, type Raw, shop, snapshotOf, unscheduled } from './support.ts';

/** What a name or a message may hold when somebody means harm, or a program has a bug. */
const NASTY = [
  '$(rm -rf /)',
  '`reboot`; echo',
  '<!channel> <https://evil.example|click>',
  'a\u0000b\u001b[31mred\u202Egnp',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  '(a+)+$'.repeat(50),
  'x'.repeat(200_000),
  'exceeded quota: '.repeat(2000),
  '0/3 nodes are available: '.repeat(2000),
  '\ud800',
  '',
  ' ',
];
const nasty = fc.oneof(
  fc.constantFrom<unknown>(...NASTY),
  fc.constantFrom<unknown>(null, 7, -1, Number.NaN, true, [], {}, [null], { name: {} }, '9'.repeat(400)),
);

const FAULTY: Raw[] = [
  ...broken(broken(shop(), 'basket', crashing('basket')), 'catalog', unscheduled, { nodeName: undefined }),
  event(
    'Pod',
    'catalog-7d9-x',
    'FailedScheduling',
    '0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.',
  ),
  event('Pod', 'basket-7d9-x', 'Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 404'),
  event('Pod', 'basket-7d9-x', 'Killing', 'Container basket failed liveness probe, will be restarted'),
];

/** The paths to all values, so that each can be replaced. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]))];
}

function replaced(value: unknown, [first, ...rest]: readonly string[], by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.map((one, i) => (String(i) === first ? replaced(one, rest, by) : one));
  return { ...Object(value), [first]: replaced(Object(value)[first], rest, by) };
}

const PATHS = pathsIn(FAULTY);
const COMMAND = /^kubectl [a-z0-9 .=-]+$/iu;

describe('hostile objects', () => {
  it('cost the object, never the verdict: commands hold only names that Kubernetes allows, and sentences are one line', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...PATHS), nasty), { minLength: 1, maxLength: 6 }),
        (changes) => {
          const objects = changes.reduce<unknown>((all, [path, by]) => replaced(all, path, by), FAULTY);
          const list = (Array.isArray(objects) ? objects : []).filter(
            (one): one is Raw => typeof one?.kind === 'string',
          );
          for (const { sentence, evidence, show, mend, confidence } of explain(snapshotOf(list))) {
            for (const text of [sentence, ...evidence]) {
              expect(text).not.toMatch(/[\p{Cc}\u202E]/u);
              expect(text.length).toBeLessThan(2000);
            }
            for (const command of [show, mend]) if (command !== null) expect(command).toMatch(COMMAND);
            expect(confidence).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  it('names a hostile pod, and proposes no command for it', () => {
    const name = '$(reboot)';
    const [best] = explain(
      snapshotOf([
        {
          kind: 'Pod',
          metadata: { name, namespace: 'books', creationTimestamp: '2026-06-01T11:00:00Z' },
          spec: { nodeName: 'worker-1', containers: [{ name: 'x', image: 'a:1' }] },
          status: {
            phase: 'Pending',
            containerStatuses: [
              { name: 'x', state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } },
            ],
          },
        },
      ]),
    );
    expect(best).toMatchObject({
      object: 'app/$(reboot)',
      cause: 'incorrect_image_reference',
      show: null,
      mend: null,
    });
  });

  it('repeats no password that a last line holds', () => {
    const logs = {
      basket: ['cannot connect to postgres://basket:s3cr3t-word@store:5432: password authentication failed'],
    };
    const said = JSON.stringify(
      explain(
        snapshotOf(
          FAULTY.filter(({ kind }) => kind !== 'Event'),
          { logs },
        ),
      ),
    );
    expect([said.includes('password authentication failed'), said.includes('s3cr3t-word')]).toEqual([
      true,
      false,
    ]);
  });

  it('takes long lines and many of them in its stride', () => {
    const line = `${'connection '.repeat(20_000)}refused`;
    expect(() =>
      explain(snapshotOf(FAULTY, { logs: { basket: Array.from({ length: 50 }, () => line) } })),
    ).not.toThrow();
  });
});

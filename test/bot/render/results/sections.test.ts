import { describe, expect, it } from 'vitest';
import { folded, section } from '../../../../src/bot/render/rendered.ts';
import { whatsNew } from '../../../../src/bot/render/results/sections.ts';

const HEADING = 'What changed since version 3';
const cause = (rootCauseSummary: string) => ({ rootCause: { rootCauseSummary } });

describe('what changed since an older version', () => {
  it.each([
    [
      'another root cause',
      cause('A *disk* is full.'),
      cause('A deploy.'),
      '• Different root cause. Before: A ∗disk∗ is full.',
    ],
    ['a first root cause', {}, cause('A deploy.'), '• Root cause found; there was none before.'],
    ['none any more', cause('A deploy.'), {}, '• Root cause withdrawn: A deploy.'],
  ])('is said of %s', (_, results, now, line) => {
    expect(whatsNew({ version: 3, results }, now)).toEqual(folded(HEADING, [section(line)]));
  });

  it('is nothing where nothing did, or only the numbers in the words of the same cause', () => {
    const before = { version: 3, results: cause('A deploy at 10:02.') };
    expect(whatsNew(before, before.results)).toEqual([]);
    expect(whatsNew(before, cause('A deploy at 10:40.'), true)).toEqual([]);
  });

  it('names evidence and steps that came and went, the first five of each', () => {
    const evidence = (names: string[]) => names.map((title) => ({ title }));
    const before = {
      rootCause: { relevantEvidence: evidence(['Logs', 'Traces']), irrelevantEvidence: evidence(['Disk']) },
      remediation: { actions: [{ title: 'Restart' }] },
    };
    const now = {
      rootCause: {
        relevantEvidence: evidence(['Logs', 'a', 'b', 'c', 'd', 'e', 'f', 'g']),
        irrelevantEvidence: evidence(['Disk', 'Traces']),
      },
      remediation: {
        actions: [{ title: 'Roll back', steps: [{ title: 'Undo' }, { content: 'Watch <it>' }] }],
      },
    };
    expect(whatsNew({ version: 3, results: before }, now)).toEqual(
      folded(HEADING, [
        section(
          [
            '• Evidence added: a; b; c; d; e … and 2 more',
            '• Evidence dropped: Traces',
            '• Ruled out added: Traces',
            '• Steps added: Roll back: Undo; Roll back: Watch &lt;it&gt;',
            '• Steps dropped: Restart',
          ].join('\n'),
        ),
      ]),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { folded, section } from '../../../../src/bot/render/rendered.ts';
import { runbookBlocks } from '../../../../src/bot/render/results/runbooks.ts';

const step = (number: string, text: string, answers: string[] = [], heading = '') => ({
  ...{ heading, number, text, answers },
});

describe('a runbook beside the results', () => {
  it('is folded: its steps under their headings, each with what the evidence says of it', () => {
    const steps = [
      step('1', 'Check the pool.', ['payments: 40 of 40 in use'], 'Diagnose'),
      step('2', 'Look at `payments`.', [], 'Diagnose'),
      step('3', 'Restart it.', [], 'Mitigate'),
    ];
    expect(runbookBlocks([{ title: 'No connection', url: 'https://wiki.example/pool', steps }])).toEqual(
      folded('Runbook · No connection · 3 steps · evidence for 1', [
        section(
          [
            '<https://wiki.example/pool|Open the runbook>',
            '*Diagnose*',
            '1. Check the pool.',
            '↳ _In evidence:_ payments: 40 of 40 in use',
            '2. Look at `payments`.',
            '*Mitigate*',
            '3. Restart it.',
          ].join('\n'),
        ),
      ]),
    );
  });

  it('is data: it mentions nobody, hides no address and has no button', () => {
    const steps = [step('<1>', '<!here> *now* <https://evil.example|our wiki>', ['<@U0ALICE>'])];
    const [block] = runbookBlocks([{ title: '<!channel>', url: 'javascript:alert(1)', steps }]);
    const words = JSON.stringify(block);
    expect(words).not.toMatch(/<!here|<@U0|evil.example\|/u);
    expect(block?.child_blocks).toEqual([
      section(
        'Open the runbook\n&lt;1&gt;. &lt;!here&gt; ∗now∗ &lt;<https://evil.example/>|our wiki&gt;\n↳ _In evidence:_ &lt;@U0ALICE&gt;',
      ),
    ]);
  });

  it('is shortened, and says by how much', () => {
    const steps = Array.from({ length: 40 }, (_, n) => step(String(n + 1), 'x'.repeat(2_000)));
    const [block] = runbookBlocks([{ title: 'Long', url: null, steps }]);
    expect(block?.child_blocks).toHaveLength(3);
    expect(JSON.stringify(block)).toMatch(/… shortened: \d+ more"/u);
  });
});

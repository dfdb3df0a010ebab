import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Names } from '../../../../src/bot/asking/withholding/names.ts';
import { Withholder } from '../../../../src/bot/asking/withholding/withhold.ts';
import { runs } from '../../../support/property-runs.ts';

const TITLE = 'Vault key rotation failed for the payroll cluster';
const CAUSE = 'An expired signing certificate on vault-7 stopped the nightly rotation job.';
const ID = '0f1e2d3c4b5a69788796';
const UUID = '5d9f3c1a-7b2e-4c8d-9a10-0c1d2e3f4a5b';
/** What stands in none of the public texts. */
const PRIVATE = /vault|payroll|#12|issue 12|expired signing|0f1e2d3c|5d9f3c1a|C0SECRET1|marker/iu;

function names(): Names {
  const some = new Names();
  some.hide({ id: ID, number: 12, uuid: UUID, titles: [TITLE], rootCause: CAUSE });
  some.show({
    id: 'aaaabbbbccccddddeeee',
    number: 1,
    uuid: null,
    titles: ['Checkout is slow'],
    rootCause: null,
  });
  some.channel('C0SECRET1', true);
  return some;
}

const publicLine = fc.constantFrom(
  'Payments is **unwell** since 12:04, with 12 errors.',
  'Checkout is slow (#1), `p95` at 2.5 s.',
  'See [the runbook](https://example.com/run#1).',
  '|---',
  '   indented, with a # sign',
  '***',
  'The 12th deploy went out.',
);
const publicBlock = fc.oneof(
  fc.array(publicLine, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
  publicLine.map((line) => `## ${line}`),
  fc
    .array(publicLine, { minLength: 1, maxLength: 3 })
    .map((lines) => lines.map((it) => `- ${it}`).join('\n')),
  publicLine.map((line) => `\`\`\`\n${line}\n\n${line}\n\`\`\``),
  publicLine.map((line) => `| # | What |\n|---|---|\n| 1 | ${line} |`),
  publicLine.map((line) => `> ${line}\n> ${line}`),
);
const name = fc.constantFrom(
  TITLE,
  TITLE.toUpperCase(),
  TITLE.replaceAll(' ', '\n'),
  TITLE.replace('key', '**key**'),
  'Vault key rotation failed…',
  '#12',
  'issue 12',
  'issues 1, 2 and 12',
  `gumshoe-${ID}`,
  UUID,
  CAUSE,
  'https://acme.slack.com/archives/C0SECRET1/p17',
);
const privateBlock = fc.oneof(
  name.map((it) => `The marker is ${it} as of now, said the marker.`),
  name.map((it) => `- marker ${it.replaceAll('\n', ' ')}\n  marker`),
  name.map((it) => `\`\`\`\nmarker ${it}\n\nmarker\n\`\`\``),
  name.map((it) => `> marker ${it.replaceAll('\n', '\n> ')}\n> marker`),
);

/** A text in pieces, parted anywhere. */
function parted(text: string, at: readonly number[]): string[] {
  const cuts = [...new Set(at.map((one) => Math.floor(one * text.length)))].sort((a, b) => a - b);
  return [...cuts, text.length].map((end) => text.slice(0, end));
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 40 });

it('nothing private is ever shown, however the answer arrives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(publicBlock, privateBlock), { minLength: 1, maxLength: 8 }),
      cuts,
      fc.boolean(),
      async (blocks, at, isWhole) => {
        const withholder = new Withholder(names(), async () => false);
        let before = '';
        for (const soFar of parted(blocks.join('\n\n'), at)) {
          const shown = await withholder.grow(soFar);
          expect(shown.startsWith(before)).toBe(true);
          expect(shown).not.toMatch(PRIVATE);
          before = shown;
        }
        const shown = await withholder.end(isWhole);
        expect(shown.startsWith(before)).toBe(true);
        expect(shown).not.toMatch(PRIVATE);
      },
    ),
    { seed: 131, numRuns: runs(500) },
  );
});

it('an answer that breaks off anywhere shows nothing private', async () => {
  await fc.assert(
    fc.asyncProperty(publicBlock, privateBlock, fc.nat({ max: 200 }), async (first, second, length) => {
      const text = `${first}\n\n${second}`.slice(0, first.length + 2 + length);
      const withholder = new Withholder(names(), async () => false);
      await withholder.grow(text);
      expect(await withholder.end(false)).not.toMatch(
        /Vault key|payroll|#12|expired signing cert|5d9f3c1a-/iu,
      );
    }),
    { seed: 132, numRuns: runs(500) },
  );
});

it('what names nothing private comes through byte for byte, however it arrives', async () => {
  const anything = fc.oneof(
    fc.array(publicBlock, { maxLength: 8 }).map((blocks) => blocks.join('\n\n')),
    fc
      .string({ unit: 'binary', maxLength: 300 })
      .filter((text) => !/#|issue|ticket|incident|num|gumshoe|arch/iu.test(text)),
    fc
      .array(
        fc.constantFrom('\n', ' ', '- ', '```', '|', '# ', 'word', '---', '> ', '\t', '**', 'a', '\r\n'),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  );
  for (const some of [names(), new Names()]) {
    await fc.assert(
      fc.asyncProperty(anything, cuts, async (text, at) => {
        const withholder = new Withholder(some, async () => false);
        for (const soFar of parted(text, at)) await withholder.grow(soFar);
        expect(await withholder.end(true)).toBe(text);
        expect(withholder.withheld).toBe(false);
      }),
      { seed: 133, numRuns: runs(250) },
    );
  }
});

it('a long answer among thousands of issues lets other work go on', async () => {
  const some = new Names();
  for (let n = 100; n < 5_100; n += 1) {
    some.hide({
      id: `id${n}`,
      number: n,
      uuid: null,
      titles: [`Replica ${n} of ledger ${n} lags`],
      rootCause: CAUSE,
    });
  }
  const line = 'Payments has had errors since noon, and nobody knows why that should be so.\n';
  const text = line.repeat(Math.ceil(1_000_000 / line.length));
  let turns = 0;
  let running = true;
  const beside = (async () => {
    while (running) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
  })();
  const withholder = new Withholder(some, async () => false);
  await withholder.grow(text);
  expect(await withholder.end(true)).toBe(text);
  running = false;
  await beside;
  expect(turns).toBeGreaterThan(30);
});

import fc from 'fast-check';
import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clean } from '../../../../src/bot/render/escape.ts';
import { context } from '../../../../src/bot/render/rendered.ts';
import { isShortened, renderResults } from '../../../../src/bot/render/results/results.ts';
import { resultsFile } from '../../../../src/bot/render/results/results-file.ts';
import { promptModal, resultsModal, wholeBlocks } from '../../../../src/bot/render/results/results-modal.ts';
import { anyResultsView, anyText } from '../../../support/arbitrary-views.ts';
import { unsafeSpots } from '../../../support/block-safety.ts';
import { allStrings } from '../../../support/block-strings.ts';
import { runs } from '../../../support/property-runs.ts';
import { resultsView } from '../../../support/views.ts';

/** What people would miss of a text that is not there; look-alikes and white space do not count. */
const essence = (text: string): string => text.toWellFormed().replace(/[^\p{L}\p{N}]+|[\u02cb\u02cd]/gu, '');

/** Every string below a value that stands at one of the keys, or at any. */
function textsAt(value: unknown, keys: readonly string[] | null): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, keys));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (keys === null || keys.includes(key) ? [inner] : []) : textsAt(inner, keys),
  );
}

const TOLD = [
  'title',
  'description',
  'incidentOverview',
  'rootCauseSummary',
  'content',
  'helpMarkdown',
  'expandedContent',
];

const shownIn = (blocks: readonly object[]) =>
  essence(
    allStrings(blocks)
      .filter(([path]) => path.endsWith(':text'))
      .map(([, text]) => text.replace(/&(amp|lt|gt);/gu, ''))
      .join('\n'),
  );

const missing = (texts: readonly string[], shown: string) =>
  // An address is written as the browser writes it.
  texts.filter((text) => !/https?:/iu.test(text) && !shown.includes(essence(text)));

describe('whatever the results say', () => {
  it('the file has every text, id and kind of them', () => {
    fc.assert(
      fc.property(anyResultsView, (view) => {
        expect(missing(textsAt(view.results, null), essence(resultsFile(view).text))).toEqual([]);
      }),
      { numRuns: runs(15) },
    );
  });

  it('*Everything* tells every text of them, safely', () => {
    fc.assert(
      fc.property(anyResultsView, ({ results }) => {
        // The older form of the graph is shown where there is no newer one.
        const told = results.causalTreeV2?.nodes?.length ? { ...results, causalTree: {} } : results;
        const blocks = wholeBlocks(results);
        expect(missing(textsAt(told, TOLD), shownIn(blocks))).toEqual([]);
        expect(unsafeSpots({ text: 'x', blocks })).toEqual([]);
      }),
      { numRuns: runs(15) },
    );
  });

  it('what a message cuts is in the file, and without one nothing is cut', () => {
    fc.assert(
      fc.property(anyResultsView, (view) => {
        // A runbook is whole where its link leads.
        const messages = renderResults({ ...view, runbooks: [] });
        if (isShortened(messages, view.results)) return;
        const { rootCause, remediation } = view.results;
        const texts = textsAt({ rootCause: { ...rootCause, id: '' }, remediation }, [
          'incidentOverview',
          'rootCauseSummary',
          'content',
        ]);
        expect(missing(texts, shownIn(messages.flatMap(({ blocks }) => blocks)))).toEqual([]);
        expect(JSON.stringify(messages)).not.toMatch(
          /… shortened: \d+ more (?:characters|parts|actions?)?"/u,
        );
      }),
      { numRuns: runs(15) },
    );
  });

  it('no page of the window leaves anything off', () => {
    const page = fc.oneof(fc.nat(3), fc.integer({ min: -1, max: 1000 }));
    fc.assert(
      fc.property(anyResultsView, page, fc.nat(200), (view, at, latest) => {
        const modal = resultsModal(view, { page: at, channel: 'C1', latest });
        expect(JSON.stringify(modal.blocks)).not.toMatch(/… shortened: \d+ more parts"/u);
      }),
      { numRuns: runs(20) },
    );
  });
});

describe('results of many pages', () => {
  const long = 'A finding that takes its time to be told. '.repeat(90);
  const evidence = Array.from({ length: 70 }, (_, index) => ({
    title: `Finding ${index}`,
    description: long,
  }));
  const view = resultsView({ rootCause: { rootCauseSummary: 'A deploy.', relevantEvidence: evidence } });
  const pageAt = (page: number) => resultsModal(view, { page, channel: 'C1', latest: 2 });
  const [first, second] = [pageAt(0), pageAt(1)];

  it('are turned above and below, and say which page is shown', () => {
    const controls = (modal: typeof first) =>
      modal.blocks.flatMap((block) =>
        'elements' in block && block.block_id !== undefined ? [[block.block_id, idsIn(block)]] : [],
      );
    expect(controls(first)).toEqual([
      ['above', ['results:version', 'results:on']],
      ['below', ['results:on']],
    ]);
    expect(controls(second)).toEqual([
      ['above', ['results:version', 'results:back', 'results:on']],
      ['below', ['results:back', 'results:on']],
    ]);
    expect(second.blocks[0]).toEqual(context('*Checkout answers 502* · version 1 · page 2 of 10'));
    expect(JSON.parse(second.private_metadata ?? '')).toEqual({
      issueId: 'issue-1',
      version: 1,
      page: 1,
      channel: 'C1',
    });
  });

  it('have every block on one page', () => {
    const seen = Array.from({ length: 10 }, (_, page) => pageAt(page).blocks.slice(2, -1)).flat();
    expect(seen).toEqual(wholeBlocks(view.results));
  });

  it('show the last page for one that is beyond it', () => {
    expect(pageAt(99)).toEqual(pageAt(9));
  });
});

function idsIn({ elements }: { elements: readonly object[] }): unknown[] {
  return elements.map((element) => ('action_id' in element ? element.action_id : null));
}

const Plain = z.looseObject({
  type: z.literal('section'),
  text: z.object({ type: z.literal('plain_text'), text: z.string() }),
});

/** The parts of the prompt as they are shown. */
function parts(prompt: string): string[] {
  return promptModal({ number: 12, action: '', prompt }).blocks.flatMap((block) => {
    const { success, data } = Plain.safeParse(block);
    return success ? [data.text.text] : [];
  });
}

it('a prompt stands in the modal exactly as it is', () => {
  expect(parts('Roll <back> & *look*.\n  - twice')).toEqual(['Roll <back> & *look*.\n  - twice']);
});

it('a long prompt goes on in further parts, cut at the end of a line', () => {
  const line = 'x'.repeat(1_999);
  expect(parts([line, line, 'end'].join('\n'))).toEqual([line, `${line}\nend`]);
});

it('whatever a prompt says, Slack takes the modal, and nothing of it is lost', () => {
  const prompts = fc.array(anyText, { minLength: 1, maxLength: 6 }).map((some) => some.join('\n'));
  fc.assert(
    fc.property(prompts, anyText, (prompt, action) => {
      const modal = promptModal({ number: null, action, prompt });
      expect(() => checkModal(JSON.parse(JSON.stringify(modal)))).not.toThrow();
      const words = (text: string) => text.replace(/\s/gu, '');
      expect(words(parts(prompt).join(''))).toBe(words(clean(prompt)));
    }),
    { numRuns: runs(200), endOnFailure: true },
  );
});

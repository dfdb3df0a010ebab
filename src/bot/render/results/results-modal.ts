import type { ActionsBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { cutEscaped } from '../cut.ts';
import { bold } from '../escape.ts';
import { limits } from '../limits.ts';
import { fitModal } from '../modal.ts';
import { button, context, section } from '../rendered.ts';
import type { ResultsView } from '../views.ts';
import { SIMULATED } from '../words.ts';
import { phrase } from './phrases.ts';
import { wholeBlocks } from './whole.ts';

const MAX_TITLE = 150;
/** Keeps a page readable, and far below what a modal can hold. */
const PAGE_BLOCKS = 60;
const PAGE_BYTES = 30_000;

/** Which page of which results a modal shows, and where it was opened. */
export interface ResultsPlace {
  issueId: string;
  version: number;
  /** From 0. */
  page: number;
  channel: string;
}

/** *Everything*: all of an investigation's results, page by page, with the other versions to choose from. */
export function resultsModal(
  view: Omit<ResultsView, 'results'> & { results: ResultsView['results'] | null },
  { page, channel, latest }: { page: number; channel: string; latest: number },
): ModalView {
  const { issueId, number, version, results, picture = null } = view;
  const pages =
    results === null ? [[section('I no longer have this version.')]] : paged(wholeBlocks(results, picture));
  const shown = Math.min(Math.max(0, page), pages.length - 1);
  const place: ResultsPlace = { issueId, version, page: shown, channel };
  const controls = navigation(place, pages.length, latest);
  return fitModal({
    callbackId: 'results',
    title: `Results of #${number}`,
    privateMetadata: JSON.stringify(place),
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      context(subject(view, shown, pages.length)),
      ...controls,
      ...(pages[shown] ?? []),
      // Below a long page too.
      ...(pages.length > 1 ? turning(place, pages.length, 'below') : []),
    ],
  });
}

function subject({ title, version }: Pick<ResultsView, 'title' | 'version'>, page: number, pages: number) {
  const where = pages > 1 ? ` · page ${page + 1} of ${pages}` : '';
  return cutEscaped(`${bold(phrase(title, MAX_TITLE))} · version ${version}${where}`, limits.sectionText);
}

function navigation(place: ResultsPlace, pages: number, latest: number): ActionsBlock[] {
  const versions = latest > 1 ? [versionSelect(place.version, latest)] : [];
  const [turn] = pages > 1 ? turning(place, pages, 'above') : [];
  const elements = [...versions, ...(turn?.elements ?? [])];
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: 'above', elements }];
}

function versionSelect(version: number, latest: number): ActionsBlock['elements'][number] {
  const options = Array.from({ length: Math.min(latest, limits.options) }, (_, index) =>
    option(latest - index),
  );
  const initial = options.find(({ value }) => value === String(version));
  return {
    type: 'static_select',
    action_id: actionIds.showVersion,
    options,
    placeholder: { type: 'plain_text', text: 'Version' },
    ...(initial ? { initial_option: initial } : {}),
  };
}

function option(version: number): PlainTextOption {
  return { text: { type: 'plain_text', text: `Version ${version}` }, value: String(version) };
}

function turning({ page }: ResultsPlace, pages: number, where: string): ActionsBlock[] {
  const elements = [
    ...(page > 0 ? [button('‹ Previous', actionIds.resultsBack, String(page - 1))] : []),
    ...(page < pages - 1 ? [button('Next ›', actionIds.resultsOn, String(page + 1))] : []),
  ];
  return [{ type: 'actions', block_id: where, elements }];
}

function paged(blocks: readonly KnownBlock[]): KnownBlock[][] {
  const pages: KnownBlock[][] = [];
  let bytes = PAGE_BYTES;
  for (const block of blocks) {
    const size = Buffer.byteLength(JSON.stringify(block));
    const current = pages.at(-1);
    if (current && bytes + size <= PAGE_BYTES && current.length < PAGE_BLOCKS) {
      current.push(block);
      bytes += size;
    } else {
      pages.push([block]);
      bytes = size;
    }
  }
  return pages.length === 0 ? [[]] : pages;
}

import { checkBlocks, checkHome, checkModal } from 'local-slack';
import { asPlainText } from '../../../../src/bot/render/plain.ts';
import { allStrings } from '../../../support/block-strings.ts';
import type { Surface } from './renderer.ts';

// Slack's numbers, written down once more, so that a mistake in the program's own tables shows.
const MOST_BLOCKS = { message: 50, view: 100 };
const MESSAGE_COST = 13_200;
const HEADING = 100;
const TEXT_BYTES = 4000;
const ALT_TEXT = 2000;
const METADATA = 3000;

/** What Slack would refuse in a surface, one sentence each; empty for one that it takes. */
export function refusals(surface: Surface): string[] {
  const { blocks } = surface;
  const isView = 'type' in surface;
  const most = isView ? MOST_BLOCKS.view : MOST_BLOCKS.message;
  return [
    ...(blocks.length === 0 || blocks.length > most ? [`${blocks.length} blocks`] : []),
    ...malformed(surface),
    ...twice(blocks),
    ...(isView ? refusedView(surface) : refusedMessage(surface)),
  ];
}

/** What the workspace, or a limit, refuses of a message and of what stands in for it. */
function refusedMessage(message: Exclude<Surface, { type: string }>): string[] {
  const { text } = asPlainText(message);
  return [
    ...refusedText(message.text),
    ...refusedText(text),
    ...refusedBlocks(message.blocks),
    ...(message.plainer === undefined ? [] : refusedBlocks(message.plainer)),
  ];
}

function refusedText(text: string): string[] {
  if (text.trim() === '') return ['the text is empty'];
  const bytes = Buffer.byteLength(text);
  return bytes > TEXT_BYTES ? [`the text has ${bytes} bytes`] : [];
}

function refusedBlocks(blocks: readonly object[]): string[] {
  const cost = costOf(blocks);
  return [
    ...(cost > MESSAGE_COST ? [`the message counts ${cost}`] : []),
    ...asked(() => checkBlocks(overTheWire(blocks))),
  ];
}

function refusedView(view: Extract<Surface, { type: string }>): string[] {
  const metadata = view.private_metadata?.length ?? 0;
  return [
    ...(metadata > METADATA ? [`it remembers ${metadata} characters`] : []),
    ...asked(() => (view.type === 'modal' ? checkModal(overTheWire(view)) : checkHome(overTheWire(view)))),
  ];
}

function asked(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (cause) {
    return [cause instanceof Error ? `${cause.message} ${JSON.stringify(cause)}` : String(cause)];
  }
}

function overTheWire(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Text as Slack stores it; each heading costs more than it says. */
function costOf(blocks: readonly object[]): number {
  const texts = allStrings(blocks).filter(([path]) => path.endsWith(':text'));
  const headings = texts.reduce((sum, [path, text]) => sum + headingsIn(path, text), 0);
  const written = texts.reduce(
    (sum, [path, text]) =>
      sum +
      (path.endsWith('mrkdwn:text')
        ? text
        : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      ).length,
    0,
  );
  const headers = blocks.filter((block) => 'type' in block && block.type === 'header').length;
  return written + HEADING * (headings + headers);
}

function headingsIn(path: string, text: string): number {
  return path.endsWith('markdown:text') ? (text.match(/^ {0,3}#{1,6}\s/gmu)?.length ?? 0) : 0;
}

function malformed(surface: Surface): string[] {
  return allStrings(surface).flatMap(([path, text]) => [
    ...(text.isWellFormed() ? [] : [`${path} has half a surrogate pair`]),
    ...(path.endsWith('.alt_text') && (text.trim() === '' || text.length > ALT_TEXT)
      ? [`${path} has ${text.length} characters`]
      : []),
  ]);
}

/** Ids that Slack wants once: a block's in its surface, an action's in its block. */
function twice(blocks: readonly object[]): string[] {
  const ids = (value: object, key: string): string[] =>
    allStrings(value).flatMap(([path, id]) => (path.endsWith(`.${key}`) ? [id] : []));
  const repeated = (all: string[]) => all.filter((id, index) => all.indexOf(id) !== index);
  return [
    ...repeated(ids(blocks, 'block_id')).map((id) => `the block id ${id} twice`),
    ...blocks
      // What a container holds are blocks of their own.
      .flatMap((block) =>
        'child_blocks' in block && Array.isArray(block.child_blocks) ? block.child_blocks : [block],
      )
      .flatMap((block) => repeated(ids(block, 'action_id')).map((id) => `the action id ${id} twice`)),
  ];
}
